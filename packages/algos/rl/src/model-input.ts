/** A prompt as a policy takes it. */
import type { AnswerConstraint, Image } from '@vlgym/core';

/** The exact input of the model for one environment step. */
export interface ModelInput {
  /** Prompt ids after image-token expansion. */
  readonly promptIds: Int32Array;
  /** Pictures in prompt order, as the environment drew them; preprocessing is deterministic. */
  readonly images: readonly Image[];
  /**
   * Constraint on the response. Sampling, scores and gradients then use the distribution over the allowed tokens; after a
   * response leaves the constraint, the remaining tokens are unconstrained. Default: no constraint.
   */
  readonly constraint?: AnswerConstraint | undefined;
}
