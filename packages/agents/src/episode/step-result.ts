/** Checks what `step` returned before it counts for a score or for learning. */
import type { StepResult } from '@vlgym/core';
import { InvalidRewardError, InvalidStepError } from '@vlgym/core/internal';

export { INVALID_REWARD } from '@vlgym/core/internal';

/**
 * Largest magnitude of one reward. Squared returns of 10⁴ such steps, summed over a batch of 10⁴, stay below the largest
 * number of single precision, 3.4e38, in which losses are computed.
 */
const MAX_REWARD = 1e12;

/**
 * @throws {InvalidRewardError}  The reward is not a number, or its magnitude is above `MAX_REWARD`.
 * @throws {InvalidStepError}  A flag is not a boolean, or info is not an object.
 */
export function assertStepResult(value: unknown): asserts value is StepResult<unknown> {
  if (typeof value !== 'object' || value === null) throw new InvalidStepError('result', value, 'an object');
  const { reward, terminated, truncated, info } = value as Record<string, unknown>;
  if (!(typeof reward === 'number' && Math.abs(reward) <= MAX_REWARD)) {
    throw new InvalidRewardError(reward, `a number between -${MAX_REWARD} and ${MAX_REWARD}`);
  }
  if (typeof terminated !== 'boolean') throw new InvalidStepError('terminated', terminated, 'true or false');
  if (typeof truncated !== 'boolean') throw new InvalidStepError('truncated', truncated, 'true or false');
  if (typeof info !== 'object' || info === null) throw new InvalidStepError('info', info, 'an object');
}
