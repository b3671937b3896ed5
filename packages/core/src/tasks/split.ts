/**
 * Splits by content: a task belongs to `test` or to `train` by a hash of its key, everywhere and for ever.
 *
 * An environment made with `split` draws again from its own generator until the task belongs there, so training on one
 * side never meets a task of the other. Without `split` nothing is drawn again, and seeds act as published.
 */
import { GymError } from '../errors.js';
import { checkedOneOf } from '../options.js';
import { sha256 } from './sha256.js';

export const SPLITS = ['train', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** Share of all keys that are for testing. */
export const TEST_SHARE = 0.2;

/** The option that every environment with task keys takes. */
export interface SplitOption {
  /** Only tasks of this side; left out: all tasks, with the seeds of the published environment. */
  readonly split?: Split | undefined;
}

/** Which side a task belongs to: `test` where the first 32 bits of the key's SHA-256, over 2^32, are below 0.2. */
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
    hint = 'leave `split` out, or choose options with more different tasks',
  ) {
    super(`The split "${split}" has no tasks here.`, {
      code: 'EMPTY_SPLIT',
      value: split,
      expected: `at least one task of this split among ${searched}`,
      hint,
    });
  }
}

/** Draws that find a task of either split with all but certainty, where there is one in a thousand. */
const MAX_DRAWS = 20_000;

/**
 * Draws until the task belongs to the split; the first draw counts where there is no split.
 *
 * @param draw      Takes the next task from the environment's generator; must not draw pictures.
 * @param keyOf     The key of what was drawn.
 * @param maxDraws  Draws after which the split counts as empty.
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
