/** Checks what `step` returned before it counts for a score or for learning. */
import { GymError, type StepResult, show } from '@vlgym/core';

/**
 * Largest magnitude of one reward. Squared returns of 10⁴ such steps, summed over a batch of 10⁴, stay below the largest
 * number of single precision, 3.4e38, in which losses are computed.
 */
const MAX_REWARD = 1e12;

/** Code of a reward that cannot be scored or learned from. */
export const INVALID_REWARD = 'INVALID_REWARD';

/** An environment gave a reward that cannot be scored or learned from. */
class InvalidRewardError extends GymError {
  constructor(readonly reward: unknown) {
    super(`The environment returned the reward ${typeof reward === 'number' ? reward : show(reward)}.`, {
      code: INVALID_REWARD,
      value: reward,
      expected: `a number between -${MAX_REWARD} and ${MAX_REWARD}`,
      hint: 'run `checkEnv(env)` on this environment, or scale its rewards with `transformReward`',
    });
  }
}

/** An environment returned an invalid step. */
class InvalidStepError extends GymError {
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
 * @throws {InvalidRewardError}  The reward is not a number, or its magnitude is above `MAX_REWARD`.
 * @throws {InvalidStepError}  A flag is not a boolean, or info is not an object.
 */
export function assertStepResult(value: unknown): asserts value is StepResult<unknown> {
  if (typeof value !== 'object' || value === null) throw new InvalidStepError('result', value, 'an object');
  const { reward, terminated, truncated, info } = value as Record<string, unknown>;
  if (!(typeof reward === 'number' && Math.abs(reward) <= MAX_REWARD)) throw new InvalidRewardError(reward);
  if (typeof terminated !== 'boolean') throw new InvalidStepError('terminated', terminated, 'true or false');
  if (typeof truncated !== 'boolean') throw new InvalidStepError('truncated', truncated, 'true or false');
  if (typeof info !== 'object' || info === null) throw new InvalidStepError('info', info, 'an object');
}
