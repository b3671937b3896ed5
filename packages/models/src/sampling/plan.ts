/** What a batch of responses is sampled by, and what it gives. */
import { GymError, type Generator as RandomGenerator } from '@vlgym/core';
import type { LogitOptions } from './process-logits.js';

export interface Sampled {
  /** [T] the end token included if it was drawn. */
  readonly tokenIds: Int32Array;
  /** [T] log-softmax(logits / temperature); of the raw logits at temperature 0. */
  readonly logProbs: Float32Array;
  /** [T] log-prob under the distribution really drawn from; 0 at temperature 0. */
  readonly behaviorLogProbs: Float32Array;
  readonly finishReason: 'stop' | 'length';
  /** Read at the last prompt token. */
  readonly value: number;
}

export interface SamplingPlan {
  readonly logits: LogitOptions;
  /** At least 1. */
  readonly maxNewTokens: number;
  /** Ids at which a response ends. */
  readonly endTokens: ReadonlySet<number>;
  /** One per row. */
  readonly generators: readonly RandomGenerator[];
  /** Ids that the repetition penalty covers besides those of prompt and response, per row. */
  readonly penalizedIds?: readonly (readonly number[])[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Runs `compute` without gradients and with the weights to sample from in place; called between awaits only. */
  readonly run: <T>(compute: () => T) => T;
}

/** The scores of the model are NaN or infinite. */
export class NonFiniteLogitsError extends GymError {
  constructor(readonly position: number) {
    super(`The model's scores for response token ${position} are not finite.`, {
      code: 'NON_FINITE_LOGITS',
      value: position,
      hint: 'the weights have probably diverged: go back to a checkpoint and lower the learning rate',
    });
  }
}
