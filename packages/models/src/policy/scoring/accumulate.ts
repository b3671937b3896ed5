/** Gradients of the caller's loss: through the whole model, or through the value head alone. */
import { InvalidOptionError } from '@vlgym/core';
import { noGrad, type Tensor, tidy, tidyAsync } from '@vlgym/gpu';
import type { AccumulateOptions, PolicyOutputs, Sequence } from '@vlgym/rl';
import type { PolicyParts } from '../policy-parts.js';
import { assertResponses, assertTemperature, forwardOutputs, responseBatch, stackStates } from './forward.js';
import type { Computed, DeferredBackward, ForwardOutputs } from './outputs.js';
import type { ResponseBatch } from './response-batch.js';
import type { Within } from './segmented-forward.js';

/** A tensor as the algorithms see it. */
export type LossTensor = PolicyOutputs['logProbs'];

/**
 * One forward, the loss, one backward; gradients add up.
 *
 * @returns The loss.
 * @throws {EmptyResponseError} A sequence has no response.
 */
export async function accumulateLoss(
  parts: PolicyParts,
  sequences: readonly Sequence[],
  loss: (outputs: PolicyOutputs) => LossTensor,
  options: AccumulateOptions,
): Promise<number> {
  assertResponses(sequences);
  assertTemperature(options.temperature);
  if (sequences.length === 0) throw new InvalidOptionError('sequences', sequences, 'at least one sequence');
  const { weights = 'current' } = options;
  if (weights !== 'current')
    throw new InvalidOptionError('weights', weights, "'current', the only set that is trained");
  const { network, builder, sets, serialQueue } = parts;
  return serialQueue.run(async () => {
    await builder.prefetch(sequences.map(({ input }) => input));
    network.train();
    try {
      const computed = await computedLoss(parts, sequences, loss, options);
      return await backward(computed, (compute) => sets.train(compute));
    } finally {
      network.eval();
    }
  });
}

type Loss = (outputs: PolicyOutputs) => LossTensor;

function computedFrom(outputs: ForwardOutputs, loss: Loss): ComputedLoss {
  try {
    return { loss: loss(outputs) as Tensor, deferred: outputs.deferred() };
  } catch (error) {
    outputs.dispose();
    throw error;
  }
}

/** The event loop stays free until the loss is asked. */
function computedLoss(
  parts: PolicyParts,
  sequences: readonly Sequence[],
  loss: Loss,
  options: AccumulateOptions,
): Promise<ComputedLoss> {
  const { sets } = parts;
  return tidyAsync(async () => {
    const batch = sets.train(() => responseBatch(parts, sequences, options.labels));
    const computed = await computedStates(parts, batch);
    const { outputs, ready } = sets.train(() => {
      const outputs = forwardOutputs(parts, batch, options, computed);
      return { outputs, ready: outputs.prepare() };
    });
    await ready.catch((error: unknown) => {
      outputs.dispose();
      throw error;
    });
    return sets.train(() => computedFrom(outputs, loss));
  });
}

async function computedStates({ sets, checkpointing }: PolicyParts, batch: ResponseBatch): Promise<Computed> {
  const train: Within = (compute) => sets.train(compute);
  const cut = checkpointing && (await batch.forwardSegmented(checkpointing, train));
  if (cut) return cut;
  const hidden = await batch.hidden(train);
  return batch.isChunked ? batch.cut(hidden) : batch.forward(hidden);
}

/** The same for the value head alone, from hidden states. */
export function accumulateValueLoss(
  parts: PolicyParts,
  states: readonly Float32Array[],
  loss: (values: LossTensor) => LossTensor,
): Promise<number> {
  const values = () => parts.network.valueHead.forward(stackStates(parts, states));
  return parts.serialQueue.run(() => backward(tidy(() => ({ loss: loss(values()) as Tensor, deferred: null }))));
}

export function valuesOfStates(parts: PolicyParts, states: readonly Float32Array[]): Promise<Float32Array> {
  const values = () => parts.network.valueHead.forward(stackStates(parts, states)).toNumbers();
  return parts.serialQueue.run(async () => noGrad(() => tidy(() => Float32Array.from(values()))));
}

interface ComputedLoss {
  readonly loss: Tensor;
  readonly deferred: DeferredBackward | null;
}

/** @param train  Puts the trained weights in place while a part of the forward is computed again. */
async function backward({ loss, deferred }: ComputedLoss, train: Within = (again) => again()): Promise<number> {
  try {
    await loss.backwardAsync();
    if (deferred) await finish(deferred, train);
    return loss.item();
  } finally {
    loss.dispose();
    for (const tensor of deferred ? [deferred.leaf, ...deferred.kept] : []) tensor.dispose();
    deferred?.dispose();
  }
}

/** From the scores to the hidden states, and from there through the model. */
async function finish({ through, leaf, chunks }: DeferredBackward, train: Within): Promise<void> {
  for (const scores of chunks) await scores.backward(train);
  const gradient = leaf.grad;
  if (!gradient) return;
  try {
    await through(gradient, train);
  } finally {
    gradient.dispose();
  }
}
