/**
 * May a figure be called "unseen"? Only where no evaluated task was met before, in the warm start or in training.
 *
 * The run asks itself before it writes a result, and refuses where its splits have let a task through.
 */
import type { TaskOutcome } from '@vlgym/agents';
import { GymError } from '@vlgym/core';
import type { Content } from '../../report/data.js';
import type { MetTasks } from './met-tasks.js';
import type { Splits } from './splits.js';

/** Tasks of the evaluation were met in the warm start or in training, although the environment divides them. */
export class ContentOverlapError extends GymError {
  constructor(readonly keys: readonly string[]) {
    super(`${keys.length} evaluated tasks were met before: ${keys.slice(0, 3).join(', ')}.`, {
      code: 'CONTENT_OVERLAP',
      value: keys,
      expected: 'an overlap of 0 between evaluated tasks and those of warm start and training',
      hint: 'start from a warm start made with this version, in a new folder',
    });
  }
}

/** Evaluated tasks that were met. */
export function overlapOf(evaluated: readonly Pick<TaskOutcome, 'taskKey'>[], met: MetTasks): string[] {
  const keys = new Set(evaluated.flatMap(({ taskKey }) => taskKey ?? []));
  return [...keys].filter((key) => met.has(key)).sort();
}

/**
 * @param met  Tasks of warm start and training.
 * @throws {ContentOverlapError}  The environment divides its tasks, and yet some were met.
 */
export function contentOf(
  splits: Splits,
  evaluated: readonly Pick<TaskOutcome, 'taskKey'>[],
  met: MetTasks | undefined,
): Content {
  if (met === undefined) return { met: 0, notSeparated: 'it is not known what the start weights have seen' };
  if (splits.test === undefined) return { met: met.size, notSeparated: 'the environment has no splits' };
  if (met.hasGaps || evaluated.some(({ taskKey }) => taskKey === undefined)) {
    return { met: met.size, notSeparated: 'the environment gives no content keys' };
  }
  const overlap = overlapOf(evaluated, met);
  if (overlap.length > 0) throw new ContentOverlapError(overlap);
  return { met: met.size, overlap: 0 };
}
