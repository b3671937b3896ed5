/**
 * Training tasks and evaluation tasks never meet: an environment declares which options give each side of its content.
 *
 * One that declares none is trained and evaluated on the same tasks, and the report says so.
 */
import { findRegistration, GymError } from '@vlgym/core';
import type { Task } from '../spec.js';

/** Options of the environment that deal the tasks of one side. */
export type Side = Readonly<Record<string, unknown>>;

/** `undefined` if the tasks cannot be divided. */
export interface Splits {
  readonly train: Side | undefined;
  readonly test: Side | undefined;
}

const UNDIVIDED: Splits = { train: undefined, test: undefined };

/** The user has chosen a split for a whole run. */
class SplitChosenError extends GymError {
  constructor(option: string, value: unknown) {
    super('A run chooses its own splits: `train` for training, `test` for evaluation.', {
      code: 'SPLIT_CHOSEN',
      value,
      expected: `environment options without \`${option}\``,
      hint: 'leave it out; `vlgym eval --env-options` measures one side',
    });
  }
}

/** @throws {SplitChosenError} The options of the environment name a split. */
export function splitsOf({ env, envOptions = {} }: Pick<Task, 'env' | 'envOptions'>): Splits {
  const { splits } = findRegistration(env);
  const chosen = Object.keys({ ...splits?.train, ...splits?.test }).find((name) => envOptions[name] !== undefined);
  if (chosen !== undefined) throw new SplitChosenError(chosen, envOptions[chosen]);
  return splits ?? UNDIVIDED;
}
