/** Inputs and outputs of sampling a batch of responses. */
import { GymError, type Generator as RandomGenerator } from '@vlgym/core';
import type { Tensor } from '@vlgym/gpu';
import type { TokenConstraint } from '../constraints/token-constraint.js';
import type { LogitOptions } from './process-logits.js';
import type { PromptCache } from './prompt-cache.js';

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

/** A token as soon as it is drawn. */
export interface DrawnToken {
  /** Position of its prompt among the inputs. */
  readonly row: number;
  /** Position in the response. */
  readonly position: number;
  readonly id: number;
  /** As in `Completion.logProbs`. */
  readonly logProb: number;
}

export interface SamplingPlan {
  readonly logits: LogitOptions;
  /** At least 1. */
  readonly maxNewTokens: number;
  /** Ids at which a response ends. */
  readonly endTokens: ReadonlySet<number>;
  /** One per row. */
  readonly generators: readonly RandomGenerator[];
  /** Rows that are decoded at once; a row that ends makes room for the next. Default all. */
  readonly slots?: number | undefined;
  /** Ids that the repetition penalty covers besides those of prompt and response, per row. */
  readonly penalizedIds?: readonly (readonly number[])[] | undefined;
  /** The constraint of each row; null for none. */
  readonly constraints?: readonly (TokenConstraint | null)[] | undefined;
  /** The constraints belong to the policy: its log-probs are those of the distribution over the allowed tokens. */
  readonly isConstrained?: boolean | undefined;
  /** True once the tokens of a response end it, besides the end tokens. */
  readonly isStopped?: ((ids: readonly number[]) => boolean) | undefined;
  readonly onToken?: ((token: DrawnToken) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The cache of tokens from earlier calls, to which this one adds; null to read every prompt completely. */
  readonly promptCache?: PromptCache | null | undefined;
  /** Runs `compute` without gradients and with the weights to sample from in place; called between awaits only. */
  readonly use: <T>(compute: () => T) => T;
  /** Rows from which a token is read on the native thread: below, the way there and back costs more than it frees. */
  readonly asyncThreshold: number;
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

/** Multiply-adds of about 5 ms on one core: longer work should not hold up the event loop. */
const SHORT_WORK = 2 ** 26;

/** Tokens from which a forward of a model takes long. Off the loop, 24 tokens of `tiny` take 7.7 ms instead of 5.3 ms. */
export function asyncThreshold(weights: Iterable<Tensor>): number {
  let count = 0;
  for (const { numel } of weights) count += numel;
  return Math.ceil(SHORT_WORK / Math.max(1, count));
}
