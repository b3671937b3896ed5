/** The model of a task, the same for warm start, training and evaluation. */
import { createPolicy } from '@vlgym/models';
import type { Policy } from '@vlgym/rl';
import type { Task } from './spec.js';

/**
 * Adam as in the published runs, but for its average of squared gradients: a run of a few hundred steps is over before
 * the usual one (0.999) has forgotten the first ones; 0.99 follows them.
 */
export const OPTIMIZER = { betas: [0.9, 0.99], eps: 1e-7, weightDecay: 0 } as const;

export const newPolicy = (task: Pick<Task, 'model'>, seed = 0): Promise<Policy> =>
  createPolicy({ preset: task.model, seed, optimizer: OPTIMIZER });
