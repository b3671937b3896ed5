/** Gradients of the caller's loss: through the whole model, or through the value head alone. */
import { InvalidOptionError } from '@vlgym/core';
import { noGrad, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardOptions, PolicyOutputs, Sequence } from '@vlgym/rl';
import { assertResponses, forwardOutputs, type PolicyParts, stackStates } from './forward.js';
import type { DeferredBackward } from './outputs.js';
import type { Train } from './segmented-forward.js';

/** A tensor as the algorithms see it. */
type LossTensor = PolicyOutputs['logProbs'];

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
  options: ForwardOptions,
): Promise<number> {
  assertResponses(sequences);
  if (sequences.length === 0) throw new InvalidOptionError('sequences', sequences, 'at least one sequence');
  const { weights = 'current' } = options;
  if (weights !== 'current')
    throw new InvalidOptionError('weights', weights, "'current', the only set that is trained");
  const { network, sets, turns } = parts;
  return turns.run(async () => {
    network.train();
    try {
      return await backward(
        () =>
          sets.train(() => {
            const outputs = forwardOutputs(parts, sequences, options);
            try {
              return { loss: loss(outputs), deferred: outputs.deferred() };
            } catch (error) {
              outputs.dispose();
              throw error;
            }
          }),
        (compute) => sets.train(compute),
      );
    } finally {
      network.eval();
    }
  });
}

/** The same for the value head alone, from hidden states. */
export function accumulateValueLoss(
  parts: PolicyParts,
  states: readonly Float32Array[],
  loss: (values: LossTensor) => LossTensor,
): Promise<number> {
  const values = () => parts.network.valueHead.forward(stackStates(parts, states));
  return parts.turns.run(() => backward(() => ({ loss: loss(values()), deferred: null })));
}

export function valuesOfStates(parts: PolicyParts, states: readonly Float32Array[]): Promise<Float32Array> {
  const values = () => parts.network.valueHead.forward(stackStates(parts, states)).toNumbers();
  return parts.turns.run(async () => noGrad(() => tidy(() => Float32Array.from(values()))));
}

interface Computed {
  readonly loss: LossTensor;
  readonly deferred: DeferredBackward | null;
}

/** @param train  Puts the trained weights in place while a part of the forward is computed once more. */
async function backward(compute: () => Computed, train: Train = (again) => again()): Promise<number> {
  const { loss, deferred } = tidy(() => {
    const computed = compute();
    return { ...computed, loss: computed.loss as Tensor };
  });
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
async function finish({ through, leaf, chunks }: DeferredBackward, train: Train): Promise<void> {
  train(() => {
    for (const scores of chunks) scores.backward();
  });
  const gradient = leaf.grad;
  if (!gradient) return;
  try {
    await through(gradient, train);
  } finally {
    gradient.dispose();
  }
}
