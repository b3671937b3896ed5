/** A prompt as a policy takes it. */
import type { AnswerConstraint, Image } from '@vlgym/core';

/** The exact input of the model for one environment step. */
export interface ModelInput {
  /** Prompt ids after image-token expansion. */
  readonly promptIds: Int32Array;
  /** Pictures in prompt order, as the environment drew them; preprocessing is deterministic. */
  readonly images: readonly Image[];
  /**
   * What the response may be. Sampling, scores and gradients are then of the distribution over the tokens that it
   * allows; where a response leaves it, the rest counts without it. Left out: anything.
   */
  readonly constraint?: AnswerConstraint | undefined;
}
