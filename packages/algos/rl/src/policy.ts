/**
 * An algorithm's view of a model: sampling, scoring, and one differentiable forward per micro-batch.
 *
 * The policy owns its weights, its optimizer and the forward pass; the algorithm owns the loss. Sets of weights share one
 * architecture: `current` (trained), `reference` (frozen at the start, θ_0), `teacher` (θ_0 plus merged task vectors,
 * GTR-Turbo) and `old` (those before the update, from `keepOld` on). Scoring always repeats the exact model input of the
 * rollout: prompt ids and pictures as they were stored (`docs/specs/algorithms.md` 0.1).
 */

import type { Completion, GenerateOptions, TokenModel } from '@vlgym/agents/model';
import type { ChatMessage } from '@vlgym/core';
import type { ModelInput } from './model-input.js';
import type { RolloutSampler } from './rollout/sampler.js';
import type { Tensor } from './tensor.js';

/** The weights to compute with. */
export type WeightSet = 'current' | 'reference' | 'teacher' | 'old';

/** One prompt with its response. */
export interface Sequence {
  readonly input: ModelInput;
  /** Response ids, end-of-sequence included where it was produced; never empty. */
  readonly responseIds: Int32Array;
}

export interface Scores {
  /** Per sequence, log-probability of each response token: log-softmax(logits / temperature). */
  readonly logProbs: Float32Array[];
  /** Per sequence, entropy of the same distribution at each response position, in nats. */
  readonly entropies: Float32Array[];
  /** Value of the observation, read at the last prompt token. */
  readonly values: Float32Array;
  /** Per sequence, the value before each response token was written; where asked for. */
  readonly tokenValues?: Float32Array[];
  /** Per sequence, the divergence asked for at each response position. */
  readonly divergences?: Float32Array[];
  /** Per sequence, the hidden state that the value is read from; where asked for. */
  readonly states?: Float32Array[];
}

/** How far the scored weights are from others, on the tokens of the response. */
export interface Divergence {
  readonly from: WeightSet;
  /** Temperature of both distributions; default: that of the log-probabilities. */
  readonly temperature?: number;
  /** The KL over the whole vocabulary, or log p − log q of the sampled token, for estimators. */
  readonly kind: 'exact-kl' | 'log-ratio';
}

/** Outputs of one forward with gradients, for a loss; B sequences, L the longest response, rows padded on the right. */
export interface PolicyOutputs {
  /** [B, L] training log-probabilities of the response tokens; 0 on padding. */
  readonly logProbs: Tensor;
  /** [B, L] entropies in nats; 0 on padding. */
  readonly entropies: Tensor;
  /** [B] values; their gradient stops before the backbone when `stopGradient` is set. */
  readonly values: Tensor;
  /**
   * [B, L] values before each token of the response is written, read at the positions that predict it: the first is
   * `values`. Same gradient rule as `values` with `stopGradient`; undefined at padding.
   */
  readonly tokenValues: Tensor;
  /** [B, L] float 1 on response tokens, 0 on padding. */
  readonly mask: Tensor;
  /** [B, L, V] full log-softmax at the training temperature; computed on first call. */
  distribution(): Tensor;
  /** [B, L, V] the same under other weights, without gradient. */
  distributionOf(weights: WeightSet): Tensor;
  /**
   * [B, L] exact KL to other weights at each response position, with gradients, without whole distributions. Undefined
   * where these are small enough to be kept; a policy that never needs it leaves it out.
   */
  klFrom?(weights: WeightSet): Tensor | undefined;
}

export interface ForwardOptions {
  /** Temperature of the training log-probabilities. */
  readonly temperature?: number | undefined;
  /** The value loss has no gradient into the backbone. */
  readonly stopGradient?: boolean | undefined;
  readonly weights?: WeightSet | undefined;
}

export interface AccumulateOptions extends ForwardOptions {
  /**
   * Per sequence, 1 on the response tokens whose `logProbs` the loss reads; they may be 0 elsewhere, and the scores of
   * a long conversation with few labels are never computed. Default: all.
   */
  readonly labels?: readonly Uint8Array[] | undefined;
  /**
   * Calls of `accumulate` that follow before `step`, where the caller knows: processes that train together begin to add
   * their gradients up while the last ones are computed.
   */
  readonly remaining?: number | undefined;
}

export interface ScoreOptions extends ForwardOptions {
  /** Computed in the same pass: one forward of each set of weights, none twice. */
  readonly divergence?: Divergence | undefined;
  /** Also give the hidden states that values are read from. */
  readonly states?: boolean | undefined;
  /** Also give the value before each response token. */
  readonly tokenValues?: boolean | undefined;
  /** False leaves log-probabilities empty; where entropies are left out too, no score over the vocabulary is computed. */
  readonly logProbs?: boolean | undefined;
  /** False leaves entropies empty. */
  readonly entropies?: boolean | undefined;
}

export interface OptimizerStep {
  readonly learningRate: number;
  /** Rate of the value head; `learningRate` when left out. */
  readonly valueLearningRate?: number;
  /**
   * Largest gradient norm of the policy: everything but the value head. Where the value loss reaches the backbone (no
   * `stopGradient`), its gradient there counts as the policy's. Infinity disables clipping.
   */
  readonly maxGradNorm: number;
  /** Largest gradient norm of the value head. Left out: one norm over all parameters, bounded by `maxGradNorm`. */
  readonly valueMaxGradNorm?: number;
  /** Only the value head moves. */
  readonly onlyValue?: boolean;
}

/** Euclidean norms before clipping. */
export interface GradientNorms {
  /** Norm of everything but the value head; 0 where only the value head moves. */
  readonly gradNorm: number;
  /** Norm of the value head. */
  readonly valueGradNorm: number;
}

export interface Policy extends TokenModel {
  /** One completion per prompt, in their order. Play outside of the rollout, e.g. evaluation. */
  generate(
    prompts: readonly (readonly ChatMessage[])[],
    options: GenerateOptions & { readonly weights?: WeightSet },
  ): Promise<Completion[]>;
  /** Grows by one at each optimizer step that moves more than the value head. */
  readonly version: number;
  /** As of `RolloutSampler`. */
  readonly hasSamplingMismatch?: boolean;
  readonly vocabularySize: number;
  /** Dtype of its weights, e.g. `bfloat16`; how far rounding may move a ratio follows from it. Default `float32`. */
  readonly dtype?: string | undefined;
  /** Messages to the exact model input; raises `IMAGE_MISSING` rather than dropping a picture. */
  encode(messages: readonly ChatMessage[]): ModelInput;
  /** Response text to ids (with the end token), for supervised labels; `tokenEnds` as in `Completion`. */
  encodeResponse(text: string): { readonly ids: Int32Array; readonly tokenEnds: Int32Array };
  /**
   * The same weights without the other processes of a run: what a process samples for its own environments. Left out by a
   * policy of one process.
   */
  readonly localSampler?: RolloutSampler;
  /**
   * Drops what sampling has kept of earlier prompts. Called before an update and before an evaluation, so that their
   * numbers do not depend on what was sampled before; optional for a policy that keeps nothing.
   */
  forgetPrompts?(): Promise<void>;
  /** Samples one response per input. Evaluation mode; no gradient. */
  sample(
    inputs: readonly ModelInput[],
    options: GenerateOptions & { readonly weights?: WeightSet },
  ): Promise<(Completion & { readonly value: number })[]>;
  /** Log-probabilities, entropies and values; evaluation mode, no gradient, batched inside. */
  score(sequences: readonly Sequence[], options?: ScoreOptions): Promise<Scores>;
  /**
   * One forward with gradients, the caller's scalar loss, one backward; gradients add up until `step`.
   * Tensors made by `loss` are freed afterwards. Returns the loss value.
   */
  accumulate(
    sequences: readonly Sequence[],
    loss: (outputs: PolicyOutputs) => Tensor,
    options?: AccumulateOptions,
  ): Promise<number>;
  /** The same for the value head alone, from hidden states that `score` gave: the backbone does not run. */
  accumulateValues(states: readonly Float32Array[], loss: (values: Tensor) => Tensor): Promise<number>;
  /** Values from hidden states that `score` gave; no gradient. */
  valuesOf(states: readonly Float32Array[]): Promise<Float32Array>;
  /** The value head takes its inputs relative to mean and spread of these states from now on. */
  standardizeValues(states: readonly Float32Array[]): void;
  /** Clips each group, updates, clears gradients. */
  step(options: OptimizerStep): Promise<GradientNorms>;

  /** Names of the matrices that training changes; a run is resumed with the same. */
  readonly adaptedNames: readonly string[];
  /** Makes a copy of the current weights the `old` set, for an exact KL to the policy before the update. */
  keepOld(): void;

  /** All processes of a run call this before the first calls `save`; optional for a policy without its own files. */
  prepareSave?(): Promise<void>;
  /**
   * Weights, reference, teacher and optimizer into a folder (safetensors + JSON); each file atomic.
   *
   * @returns The files below the folder that `load` verifies by their checksums; a run hashes the others.
   */
  save(folder: string): Promise<readonly string[]> | Promise<void>;
  load(folder: string): Promise<void>;
  close(): void;
}

/** A policy that can restart from its supervised weights, as a warm start requires. */
export interface WarmStartPolicy extends Policy {
  /** Makes the current weights the new θ_0: LoRA starts at zero next to what it was trained to, optimizer state is cleared. */
  foldIntoReference(): void;
}
