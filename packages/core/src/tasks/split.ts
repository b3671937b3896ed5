/**
 * Splits by content: a hash of its key assigns a task to `test` or `train`, on every machine and in every version.
 *
 * An environment made with `split` draws from its own generator until the task belongs to the split, so training on one
 * side never sees a task of the other. Without `split` nothing is redrawn, and seeds give the published episodes.
 */
import { GymError } from '../errors.js';
import { checkedOneOf } from '../options.js';
import { sha256 } from './sha256.js';

export const SPLITS = ['train', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** Share of test keys. */
export const TEST_SHARE = 0.2;

/** The option of every environment with task keys. */
export interface SplitOption {
  /** Only tasks of this side; default: all tasks, with the seeds of the published environment. */
  readonly split?: Split | undefined;
}

/** The side of a task: `test` if the first 32 bits of the key's SHA-256, divided by 2^32, are below 0.2. */
export function splitOf(taskKey: string): Split {
  return sha256(taskKey)[0]! / 2 ** 32 < TEST_SHARE ? 'test' : 'train';
}

/** @throws {InvalidOptionError} `value` is neither a split nor undefined. */
export function checkedSplit(value: unknown): Split | undefined {
  return value === undefined ? undefined : checkedOneOf('split', value, SPLITS);
}

/** No task of the wanted split was found. */
export class EmptySplitError extends GymError {
  constructor(
    readonly split: Split,
    searched: string,
    hint = 'omit `split`, or choose options with more distinct tasks',
  ) {
    super(`The split "${split}" has no tasks.`, {
      code: 'EMPTY_SPLIT',
      value: split,
      expected: `at least one task of this split among ${searched}`,
      hint,
    });
  }
}

/** Enough draws to find a task of a split almost surely, even if only one task in a thousand belongs to it. */
const MAX_DRAWS = 20_000;

/**
 * Draws until the task belongs to the split; without a split, the first draw is used.
 *
 * @param draw      Draws the next task from the environment's generator; must not render.
 * @param keyOf     The key of the drawn task.
 * @param maxDraws  Number of draws after which the split counts as empty.
 * @throws {EmptySplitError}
 */
export function drawInSplit<Task>(
  split: Split | undefined,
  draw: () => Task,
  keyOf: (task: Task) => string,
  maxDraws: number = MAX_DRAWS,
): Task {
  for (let draws = 0; draws < maxDraws; draws += 1) {
    const task = draw();
    if (split === undefined || splitOf(keyOf(task)) === split) return task;
  }
  throw new EmptySplitError(split!, `${maxDraws} tasks drawn`);
}
