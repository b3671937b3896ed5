/**
 * A figure may be called "unseen" only if no evaluated task was seen before, in the warm start or in training.
 *
 * The run checks this before it writes a result, and fails if its splits let a task through.
 */
import type { TaskOutcome } from '@vlgym/agents/statistics';
import { GymError } from '@vlgym/core';
import type { Content } from '../../report/data.js';
import type { SeenTasks } from './seen-tasks.js';
import type { Splits } from './splits.js';

/** Evaluated tasks were seen in the warm start or in training, although the environment declares splits. */
class ContentOverlapError extends GymError {
  constructor(readonly keys: readonly string[]) {
    super(`${keys.length} evaluated tasks were seen before: ${keys.slice(0, 3).join(', ')}.`, {
      code: 'CONTENT_OVERLAP',
      value: keys,
      expected: 'an overlap of 0 between evaluated tasks and those of warm start and training',
      hint: 'start from a warm start made with this version, in a new folder',
    });
  }
}

/** Evaluated tasks that were seen before. */
export function overlapOf(evaluated: readonly Pick<TaskOutcome, 'taskKey'>[], met: SeenTasks): string[] {
  const keys = new Set(evaluated.flatMap(({ taskKey }) => taskKey ?? []));
  return [...keys].filter((key) => met.has(key)).sort();
}

/**
 * @param met  Tasks of warm start and training.
 * @throws {ContentOverlapError}  The environment declares splits, and evaluated tasks were seen before.
 */
export function contentOf(
  splits: Splits,
  evaluated: readonly Pick<TaskOutcome, 'taskKey'>[],
  met: SeenTasks | undefined,
): Content {
  if (met === undefined) return { met: 0, notSeparated: 'the training tasks of the start weights are unknown' };
  if (splits.test === undefined) return { met: met.size, notSeparated: 'the environment has no splits' };
  if (met.hasGaps || evaluated.some(({ taskKey }) => taskKey === undefined)) {
    return { met: met.size, notSeparated: 'the environment gives no content keys' };
  }
  const overlap = overlapOf(evaluated, met);
  if (overlap.length > 0) throw new ContentOverlapError(overlap);
  return { met: met.size, overlap: 0 };
}
