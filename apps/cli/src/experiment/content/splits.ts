/**
 * Training tasks and evaluation tasks never meet: environments divide them by content (`split` of @vlgym/core).
 *
 * An environment without that option is trained and evaluated on the same tasks, and the report says so.
 */
import { GymError, make } from '@vlgym/core';
import type { Task } from '../spec.js';

/** Options of the environment that deal the tasks of one side. */
export type Side = Readonly<Record<string, unknown>>;

/** `undefined` where the tasks cannot be divided. */
export interface Splits {
  readonly train: Side | undefined;
  readonly test: Side | undefined;
}

const UNDIVIDED: Splits = { train: undefined, test: undefined };

/** ALFWorld's and WebShop's `split` has a published meaning, too; docs/splits.md. */
const SCHEMES: readonly Side[] = [{ splitScheme: 'content' }, {}];

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
  const chosen = envOptions.split ?? envOptions.splitScheme;
  if (chosen !== undefined) throw new SplitChosenError(chosen);
  for (const scheme of SCHEMES) {
    const splits = { train: { ...scheme, split: 'train' }, test: { ...scheme, split: 'test' } };
    try {
      const made = await make(env, { options: { ...envOptions, ...splits.test }, disableChecker: true });
      await made.close();
      return splits;
    } catch (error) {
      if (!refuses(error, ['split', 'splitScheme'])) throw error;
    }
  }
  return UNDIVIDED;
}

function refuses(error: unknown, options: readonly string[]): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (GymError.isInstance(reason) && reason.code === 'UNKNOWN_OPTION') return options.includes(String(reason.value));
  }
  return false;
}
