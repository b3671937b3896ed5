/**
 * Can anything be learned from this reward? Asked where the rollout takes a step from an environment.
 *
 * A reward of NaN, or one whose square overflows in the losses, would make every loss of its episode not finite; the
 * training would skip them all and go on without learning. It is a failure of the environment instead.
 */
import { GymError, type StepResult, show } from '@vlgym/core';
import { INVALID_REWARD } from './record.js';
import type { Outcome } from './settle.js';

/**
 * Largest magnitude of one reward. Squared returns of 10⁴ such steps, summed over a batch of 10⁴, stay below the
 * largest number of single precision, 3.4e38, in which losses are computed.
 */
export const MAX_REWARD = 1e12;

/** An environment gave a reward that cannot be learned from. */
export class InvalidRewardError extends GymError {
  constructor(readonly reward: unknown) {
    super(`The environment gave the reward ${typeof reward === 'number' ? reward : show(reward)}.`, {
      code: INVALID_REWARD,
      value: reward,
      expected: `a number between -${MAX_REWARD} and ${MAX_REWARD}`,
      hint: 'run `checkEnv(env)` on this environment, or scale its rewards with `transformReward`',
    });
  }
}

/** Every step of a rollout gave an invalid reward: training would change nothing. */
export class NoValidRewardError extends GymError {
  constructor(
    readonly steps: number,
    cause: unknown,
  ) {
    super(`All ${steps} steps of a rollout gave an invalid reward.`, {
      code: 'NO_VALID_REWARD',
      value: steps,
      hint: 'the first of them is the cause; repair the reward of the environment, then resume',
      cause,
    });
  }
}

/** The outcome of a step, failed where its reward is invalid. */
export function withValidReward(outcome: Outcome<StepResult<unknown>>): Outcome<StepResult<unknown>> {
  if (!outcome.ok) return outcome;
  const reward: unknown = outcome.value.reward;
  const isValid = typeof reward === 'number' && Math.abs(reward) <= MAX_REWARD;
  return isValid ? outcome : { ok: false, error: new InvalidRewardError(reward) };
}
