/** The error for a rollout without a valid reward. */
import { GymError } from '@vlgym/core';

/** Every step of a rollout gave an invalid reward: training would change nothing. */
export class NoValidRewardError extends GymError {
  constructor(
    readonly steps: number,
    cause: unknown,
  ) {
    super(`All ${steps} steps of a rollout returned an invalid reward.`, {
      code: 'NO_VALID_REWARD',
      value: steps,
      hint: 'see the first error for the cause; fix the reward of the environment, then resume',
      cause,
    });
  }
}
