/** The model of a task, the same for warm start, training and evaluation. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPolicy } from '@vlgym/models';
import type { Policy } from '@vlgym/rl';
import type { Task } from './spec.js';

/**
 * A run of a few hundred optimizer steps is over before Adam's usual average of squared gradients (0.999) has
 * forgotten the first ones; 0.99 follows them.
 */
const SHORT_RUN = { betas: [0.9, 0.99] } as const;

/** The published runs use this rank (`docs/specs/algorithms.md` 8.4); alpha is twice the rank. */
const LORA_RANK = 128;

type ModelChoice = Pick<Task, 'model' | 'loraRank' | 'dtype'>;

/** The preset with all weights trained, or a model folder with adapters beside frozen weights. */
export function newPolicy({ model, loraRank: r = LORA_RANK, dtype }: ModelChoice, seed = 0): Promise<Policy> {
  if (!isModelFolder(model)) return createPolicy({ preset: model, seed, optimizer: SHORT_RUN });
  const train = { lora: { r, alpha: 2 * r } };
  return createPolicy({ model, seed, train, optimizer: SHORT_RUN, ...(dtype && { dtype }) });
}

/** Presets are single words; a folder is there, or is written with a slash. */
export function isModelFolder(model: string): boolean {
  return /[\\/]/.test(model) || existsSync(join(model, 'config.json'));
}
