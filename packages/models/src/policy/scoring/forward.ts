/** The parts that all calls of a policy share, and the forward over sequences that scoring and training start with. */
import { InvalidOptionError } from '@vlgym/core';
import type { SerialQueue } from '@vlgym/core/internal';
import type { Tensor } from '@vlgym/gpu';
import type { ForwardOptions, Sequence, WeightSet } from '@vlgym/rl';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import { AllowedTokens } from '../../constraints/allowed-tokens.js';
import type { ActorCritic } from '../../layers/actor-critic.js';
import type { NarrowWeights } from '../../layers/narrow-weights.js';
import type { PromptCache } from '../../sampling/prompt-cache.js';
import { EmptyResponseError } from '../errors.js';
import type { PromptEncoder } from '../prompt-encoder.js';
import type { WeightSets } from '../weights/weight-sets.js';
import { type Computed, ForwardOutputs } from './outputs.js';
import { type Checkpointing, ResponseBatch } from './response-batch.js';

export interface PolicyParts {
  readonly network: ActorCritic;
  readonly prompts: PromptEncoder;
  readonly builder: BatchBuilder;
  readonly sets: WeightSets;
  /** Calls share one set of parameters, so they take turns. */
  readonly turns: SerialQueue;
  /** As of `SamplingPlan`. */
  readonly asyncThreshold: number;
  /** Largest vocabulary whose distributions are kept for all positions at once; default 8192. */
  readonly denseVocabulary?: number | undefined;
  /** Copies of the current weights in fewer bytes, for sampling; null if they are sampled with themselves. */
  readonly narrow: NarrowWeights | null;
  /** Keys and values of conversations under the current weights, for sampling; null if none are kept. */
  readonly promptCache: PromptCache | null;
  /** Null if a backward pass keeps all activations. */
  readonly checkpointing: Checkpointing | null;
}

/** The quantities that a loss asks of a batch, under the weights in place. To be called inside a `tidy`. */
export function forwardOutputs(
  { sets }: PolicyParts,
  batch: ResponseBatch,
  { temperature = 1, stopGradient = false }: ForwardOptions,
  computed: Computed,
): ForwardOutputs {
  const use = <T>(weights: WeightSet, compute: () => T): T => sets.use(weights, compute);
  const useOutput = <T>(weights: WeightSet, compute: () => T): T => sets.useOutput(weights, compute);
  return new ForwardOutputs(batch, { temperature, stopGradient, use, useOutput }, computed);
}

/**
 * Sequences as tensors. To be called inside a `tidy`.
 *
 * @param labels  Per sequence, 1 where log-probabilities are read; default everywhere.
 */
export function responseBatch(
  { network, prompts, builder, denseVocabulary }: PolicyParts,
  sequences: readonly Sequence[],
  labels?: readonly Uint8Array[],
): ResponseBatch {
  const rows = sequences.map(({ input, responseIds }) => ({ ...input, responseIds }));
  const { vocabSize } = network.language.config;
  const constraints = sequences.map(({ input }) => input.constraint && prompts.answerConstraint(input.constraint));
  const responses = sequences.map(({ responseIds }) => responseIds);
  const allowed = constraints.some(Boolean) ? new AllowedTokens(constraints, responses, vocabSize) : null;
  return new ResponseBatch(network, builder, rows, { denseVocabulary, allowed, labels });
}

export function assertTemperature(temperature = 1): void {
  if (!(temperature > 0)) throw new InvalidOptionError('temperature', temperature, 'a number above 0');
}

/** [N, D] hidden states as one tensor, on the device of the model. */
export function stackStates({ builder }: PolicyParts, states: readonly Float32Array[]): Tensor {
  const width = states[0]?.length ?? 0;
  const flat = new Float32Array(states.length * width);
  for (const [row, state] of states.entries()) flat.set(state, row * width);
  return builder.floats(flat, [states.length, width]);
}

/** @throws {EmptyResponseError} A sequence has no response. */
export function assertResponses(sequences: readonly Sequence[]): void {
  const empty = sequences.findIndex(({ responseIds }) => responseIds.length === 0);
  if (empty >= 0) throw new EmptyResponseError(empty);
}
