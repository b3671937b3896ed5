/** What the parts of a policy share, and the forward over sequences that scoring and training start with. */
import { InvalidOptionError } from '@vlgym/core';
import type { SerialQueue } from '@vlgym/core/internal';
import type { Tensor } from '@vlgym/gpu';
import type { ForwardOptions, Sequence, WeightSet } from '@vlgym/rl';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { EmptyResponseError } from './errors.js';
import { ForwardOutputs } from './outputs.js';
import type { PromptEncoder } from './prompt-encoder.js';
import { ResponseBatch } from './response-batch.js';
import type { WeightSets } from './weight-sets.js';

export interface PolicyParts {
  readonly network: ActorCritic;
  readonly prompts: PromptEncoder;
  readonly builder: BatchBuilder;
  readonly sets: WeightSets;
  /** Calls share one set of parameters, so they take turns. */
  readonly turns: SerialQueue;
  /** Largest vocabulary whose distributions are kept for all positions at once; default 8192. */
  readonly denseVocabulary?: number | undefined;
}

/** One forward under the weights in place. To be called inside a `tidy`. */
export function forwardOutputs(
  { network, builder, sets, denseVocabulary }: PolicyParts,
  sequences: readonly Sequence[],
  { temperature = 1, stopGradient = false }: ForwardOptions,
): ForwardOutputs {
  if (!(temperature > 0)) throw new InvalidOptionError('temperature', temperature, 'a number above 0');
  const rows = sequences.map(({ input, responseIds }) => ({ ...input, responseIds }));
  const use = <T>(weights: WeightSet, compute: () => T): T => sets.use(weights, compute);
  return new ForwardOutputs(new ResponseBatch(network, builder, rows, denseVocabulary), {
    temperature,
    stopGradient,
    use,
  });
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
