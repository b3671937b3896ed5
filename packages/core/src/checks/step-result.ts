/** Checks what `step` returned before it counts for a score or for learning. */
import type { StepResult } from '../env.js';
import { GymError, show } from '../errors.js';
import { isRecord } from '../type-tests.js';

/** Code of a reward that cannot be scored or learned from. */
export const INVALID_REWARD = 'INVALID_REWARD';

/** An environment gave a reward that cannot be scored or learned from. */
export class InvalidRewardError extends GymError {
  constructor(
    readonly reward: unknown,
    expected: string,
  ) {
    super(`The environment returned the reward ${typeof reward === 'number' ? reward : show(reward)}.`, {
      code: INVALID_REWARD,
      value: reward,
      expected,
      hint: 'run `checkEnv(env)` on this environment, or scale its rewards with `transformReward`',
    });
  }
}

/** An environment returned an invalid step. */
export class InvalidStepError extends GymError {
  constructor(field: string, value: unknown, expected: string) {
    super(`\`step\` returned ${show(value)} as \`${field}\`.`, {
      code: 'INVALID_STEP',
      value,
      expected,
      hint: 'run `checkEnv(env)` on this environment',
    });
  }
}

/**
 * The part of a step that a batch computes with.
 *
 * @throws {InvalidStepError}    The result is not an object.
 * @throws {InvalidRewardError}  The reward is not a number. NaN and Infinity pass, as in Gymnasium: who scores or learns refuses them.
 */
export function checkedStep(result: StepResult<unknown>): StepResult<unknown> {
  if (!isRecord(result)) throw new InvalidStepError('result', result, 'an object');
  if (typeof result.reward !== 'number') throw new InvalidRewardError(result.reward, 'a number');
  return result;
}
