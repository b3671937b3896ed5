/**
 * A model that generates tokens: the interface that local policies implement and trainers use.
 *
 * Two log-probs are kept for every token because the distribution sampled from (penalty, cuts) is usually not the one
 * trained (`docs/specs/algorithms.md`, section 12): ratios compare `logProbs`, corrections need `behaviorLogProbs`.
 */
import {
  type AnswerConstraint,
  type Awaitable,
  type ChatMessage,
  type Generator,
  InvalidOptionError,
} from '@vlgym/core';

export interface GenerateOptions {
  /** Maximum number of tokens per completion, at least 1; default 256. */
  readonly maxNewTokens?: number | undefined;
  /** Divides the logits, >= 0; 0 takes the most likely token and draws nothing. Default 1. */
  readonly temperature?: number | undefined;
  /** Keep this many most likely tokens; 0 (default) keeps all. */
  readonly topK?: number | undefined;
  /** Keep the smallest set of tokens with at least this probability, in (0, 1]; default 1 keeps all. */
  readonly topP?: number | undefined;
  /** Divides positive and multiplies negative logits of tokens seen in prompt or completion; default 1 is off. */
  readonly repetitionPenalty?: number | undefined;
  /**
   * Constraints on the responses, one per prompt; both log-probabilities are then those of the distribution over the allowed
   * tokens.
   */
  readonly constraints?: readonly AnswerConstraint[] | undefined;
  /**
   * Draw order: at every token position each unfinished row draws one `random()`, in the order of the prompts.
   * One generator is shared by all rows; with one generator per prompt a row's text does not depend on its neighbors.
   * `rowGenerators` turns both into one generator per row.
   */
  readonly rng: Generator | readonly Generator[];
  /** Aborts between tokens; `generate` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Which weights sampled the tokens from `start` up to, not including, `end`. */
export interface TokenVersions {
  /** As the engine names it, e.g. `policy-000012`; ends in the version's number. */
  readonly version: string;
  readonly start: number;
  readonly end: number;
}

/** One sampled response of T tokens, the end-of-sequence token included if it was produced. */
export interface Completion {
  /** Decoded response, without special tokens. */
  readonly text: string;
  /** [T] */
  readonly tokenIds: Int32Array;
  /** [T] log-softmax(logits / temperature), no penalty and no cuts; at temperature 0 that of the raw logits. */
  readonly logProbs: Float32Array;
  /** [T] log-prob under the processed, renormalized distribution that was sampled from; 0 at temperature 0. */
  readonly behaviorLogProbs: Float32Array;
  /** [T] UTF-16 offset in `text` at which each token ends; never decreases; special tokens end where they stand. */
  readonly tokenEnds: Int32Array;
  readonly finishReason: 'stop' | 'length';
  /** [P] prompt ids exactly as the model received them, image tokens expanded. */
  readonly promptTokenIds: Int32Array;
  /** Weights by token, from a server; absent if `TokenModel.version` sampled all of them. */
  readonly versions?: readonly TokenVersions[];
  /** The critic's value of the observation, read at the last prompt token; absent without a critic. */
  readonly value?: number;
}

export interface TokenModel {
  readonly name: string;
  /** Grows by one with every optimizer step; 0 for weights as loaded. */
  readonly version: number;
  /** `sha256:…` of the weights: equal if and only if the weights are equal. Called when episodes are recorded. */
  weightsDigest?(): Awaitable<string>;
  /** One completion per prompt, in their order. */
  generate(prompts: readonly (readonly ChatMessage[])[], options: GenerateOptions): Promise<Completion[]>;
}

/**
 * The generator of each of `rows` rows; see `GenerateOptions.rng`.
 *
 * @throws {InvalidOptionError}  The number of generators is neither one nor one per row.
 */
export function rowGenerators(rng: GenerateOptions['rng'], rows: number): readonly Generator[] {
  const generators = Array.isArray(rng) ? (rng as readonly Generator[]) : Array<Generator>(rows).fill(rng as Generator);
  if (generators.length !== rows)
    throw new InvalidOptionError('rng', rng, `one generator, or one for each of ${rows} prompts`);
  return generators;
}
