/** The model of a task, the same for warm start, training and evaluation. */
import { createPolicy } from '@vlgym/models';
import type { Policy } from '@vlgym/rl';
import type { Task } from './spec.js';

/**
 * A run of a few hundred optimizer steps is over before Adam's usual average of squared gradients (0.999) has
 * forgotten the first ones; 0.99 follows them.
 */
const SHORT_RUN = { betas: [0.9, 0.99] } as const;

export const newPolicy = (task: Pick<Task, 'model'>, seed = 0): Promise<Policy> =>
  createPolicy({ preset: task.model, seed, optimizer: SHORT_RUN });
