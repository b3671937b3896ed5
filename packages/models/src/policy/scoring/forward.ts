/** The forward over sequences that scoring and training start with. */
import { InvalidOptionError } from '@vlgym/core';
import type { Tensor } from '@vlgym/gpu';
import type { ForwardOptions, Sequence, WeightSet } from '@vlgym/rl';
import { conversations } from '@vlgym/rl/update';
import { AllowedTokens } from '../../constraints/allowed-tokens.js';
import { EmptyResponseError } from '../errors.js';
import type { PolicyParts } from '../policy-parts.js';
import { type Computed, ForwardOutputs } from './outputs.js';
import { ResponseBatch } from './response-batch.js';

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
 * Sequences as tensors, turns of a conversation on one line. To be called inside a `tidy`.
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
  // a picture's token that was written stands for no picture, also where the response is part of a line
  const isShareable = !responses.some((ids) => ids.includes(builder.imageToken));
  const shared = isShareable ? conversations(sequences) : undefined;
  return new ResponseBatch(network, builder, rows, { denseVocabulary, allowed, labels, conversations: shared });
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
