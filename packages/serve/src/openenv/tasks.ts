/**
 * The task API: what of an environment can be chosen by `split` and `index`.
 *
 * Environments are made of seeds: task i is the episode of seed i. Where the environment has a content split, `train` and
 * `test` are its two sides (docs/splits.md), and no task of one is in the other; elsewhere there is `train` alone.
 */
import { findRegistration, GymError } from '@vlgym/core';
import type { TaskSource } from './endpoint.js';

/** Seeds that are listed; every other seed can be played, too. */
const LISTED_TASKS = 1000;

/** A split or an index that does not exist. */
class UnknownTaskError extends GymError {
  constructor(split: unknown, index: unknown, splits: readonly string[]) {
    super(`Unknown task: split ${JSON.stringify(split)}, index ${JSON.stringify(index)}.`, {
      code: 'UNKNOWN_TASK',
      value: { split, index },
      expected: `a split of ${splits.join(', ')} and an index from 0 to ${LISTED_TASKS - 1}`,
    });
  }
}

function taskSplits(id: string): readonly ('train' | 'test')[] {
  return findRegistration(id).splits ? ['train', 'test'] : ['train'];
}

export function seedTasks(id: string): TaskSource {
  const splits = taskSplits(id);
  return {
    splits,
    count: (split) => ((splits as readonly string[]).includes(split) ? LISTED_TASKS : 0),
    task: (_split, index) => ({ id: `seed-${index}`, index, seed: index }),
  };
}

/** The seed of a task. @throws {UnknownTaskError} */
export function taskSeed(id: string, split: string, index: number): number {
  const splits: readonly string[] = taskSplits(id);
  if (!splits.includes(split) || index < 0 || index >= LISTED_TASKS) throw new UnknownTaskError(split, index, splits);
  return index;
}
