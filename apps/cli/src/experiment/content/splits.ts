/**
 * Training tasks and evaluation tasks never meet: environments divide them by content (`split` of @vlgym/core).
 *
 * An environment without that option is trained and evaluated on the same tasks, and the report says so.
 */
import { GymError, make, type Split } from '@vlgym/core';
import type { Task } from '../spec.js';

/** What to make environments with; `undefined` where they cannot be divided. */
export interface Splits {
  readonly train: Split | undefined;
  readonly test: Split | undefined;
}

const DIVIDED: Splits = { train: 'train', test: 'test' };
const UNDIVIDED: Splits = { train: undefined, test: undefined };

/** The user has chosen a side for all of a run. */
export class SplitChosenError extends GymError {
  constructor(split: unknown) {
    super('A run chooses splits by itself: `train` for what it learns from, `test` for what it is judged by.', {
      code: 'SPLIT_CHOSEN',
      value: split,
      expected: 'environment options without `split`',
      hint: 'leave it out; `vlgym eval --env-options \'{"split":"test"}\'` measures one side',
    });
  }
}

/** @throws {SplitChosenError} The options of the environment name a split. */
export async function splitsOf({ env, envOptions = {} }: Pick<Task, 'env' | 'envOptions'>): Promise<Splits> {
  if (envOptions.split !== undefined) throw new SplitChosenError(envOptions.split);
  try {
    const made = await make(env, { options: { ...envOptions, split: 'test' }, disableChecker: true });
    await made.close();
    return DIVIDED;
  } catch (error) {
    if (refusesSplit(error)) return UNDIVIDED;
    throw error;
  }
}

function refusesSplit(error: unknown): boolean {
  for (let reason = error; reason !== undefined; reason = (reason as Error).cause) {
    if (GymError.isInstance(reason) && reason.code === 'UNKNOWN_OPTION' && reason.value === 'split') return true;
    if (!(reason instanceof Error)) return false;
  }
  return false;
}
