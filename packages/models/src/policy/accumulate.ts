/** Gradients of the caller's loss: through the whole model, or through the value head alone. */
import { InvalidOptionError } from '@vlgym/core';
import { noGrad, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardOptions, PolicyOutputs, Sequence } from '@vlgym/rl';
import { assertResponses, forwardOutputs, type PolicyParts, stackStates } from './forward.js';

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
      return await backward(() => sets.train(() => loss(forwardOutputs(parts, sequences, options))));
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
  return parts.turns.run(() => backward(() => loss(values())));
}

export function valuesOfStates(parts: PolicyParts, states: readonly Float32Array[]): Promise<Float32Array> {
  const values = () => parts.network.valueHead.forward(stackStates(parts, states)).toNumbers();
  return parts.turns.run(async () => noGrad(() => tidy(() => Float32Array.from(values()))));
}

async function backward(compute: () => LossTensor): Promise<number> {
  const loss = tidy(() => compute() as Tensor);
  try {
    await loss.backwardAsync();
    return loss.item();
  } finally {
    loss.dispose();
  }
}
