/** Losses and ratios of a micro-batch into the metrics of the update (`docs/specs/algorithms.md` 14). */
import type { PolicyLoss } from '../losses/clipped-losses.js';
import type { Regularization } from '../losses/regularizer.js';
import type { Tensor } from '../tensor.js';
import type { Run } from '../training/algorithm.js';
import type { MicroBatch } from './minibatches.js';

export interface LossParts {
  readonly actor?: PolicyLoss;
  readonly critic?: Tensor;
  readonly regularizer?: Regularization;
}

/** Notes the parts, each a share of its optimizer step, and gives the total back. */
export function recordLosses(
  { metrics, policy }: Pick<Run, 'metrics' | 'policy'>,
  batch: MicroBatch,
  parts: LossParts,
  total: Tensor,
): Tensor {
  const { actor, critic, regularizer } = parts;
  const part = (name: string, tensor: Tensor | undefined) => {
    if (tensor) metrics.part(name, tensor.detach().item(), batch.share);
  };
  part('loss/total', total);
  part('loss/value', critic);
  part('loss/policy', actor?.loss);
  part('loss/kl', regularizer?.kl);
  part('loss/entropy', regularizer?.entropy);
  if (!actor) return total;

  const { ratios, tokenRatios } = actor;
  metrics.mean('ratio/mean', ratios.mean, ratios.count);
  metrics.min('ratio/min', ratios.min);
  metrics.max('ratio/max', ratios.max);
  metrics.mean('ratio/clipped-low', ratios.clippedLow, ratios.count);
  metrics.mean('ratio/clipped-high', ratios.clippedHigh, ratios.count);
  metrics.mean('ratio/clamped', ratios.clamped, ratios.count);
  metrics.mean('kl/update-k1', tokenRatios.k1, tokenRatios.count);
  metrics.mean('kl/update-k3', tokenRatios.k3, tokenRatios.count);
  // as long as the weights are those that sampled the buffer, every ratio must be one (`docs/specs/algorithms.md` 15.1)
  const untouched = batch.steps[0]!.policyVersion === policy.version;
  if (untouched) metrics.max('ratio/first-pass-deviation', tokenRatios.maxDeviation);
  return total;
}
