/** Losses and ratios of a micro-batch into the metrics of the update (`docs/specs/algorithms.md` 14). */

import type { MetricsTally } from '../diagnostics/metrics.js';
import { clipStatistics, ratioStatistics, tokenDrift } from '../losses/ratio-statistics.js';
import type { Tensor } from '../tensor.js';
import type { Run } from '../training/algorithm.js';
import type { MicroBatch } from './minibatches.js';
import type { ActorLoss } from './objective.js';

export interface LossParts {
  readonly critic?: Tensor;
  readonly actor?: ActorLoss;
  /** The reduced loss of the actor. */
  readonly policy?: Tensor;
  /** [B*L] of the current weights. */
  readonly logProbs?: ArrayLike<number>;
  readonly regularizers?: readonly { readonly name: string; readonly mean: Tensor }[];
}

/** Notes the parts, each a share of its optimizer step, and gives the total back. */
export function recordLosses(
  { metrics, policy }: Pick<Run, 'metrics' | 'policy'>,
  batch: MicroBatch,
  parts: LossParts,
  total: Tensor,
): Tensor {
  const part = (name: string, tensor: Tensor | undefined) => {
    if (tensor) metrics.part(name, tensor.detach().item(), batch.share);
  };
  part('loss/total', total);
  part('loss/value', parts.critic);
  part('loss/policy', parts.policy);
  for (const { name, mean } of parts.regularizers ?? []) part(`loss/${name}`, mean);
  if (parts.actor) recordRatios(metrics, batch, parts.actor);
  if (parts.logProbs) {
    const drift = tokenDrift(parts.logProbs, batch.oldLogProbs, batch.mask);
    metrics.mean('kl/update-k1', drift.k1, drift.count);
    metrics.mean('kl/update-k3', drift.k3, drift.count);
    // as long as the weights are those that sampled the buffer, every ratio must be one (`docs/specs/algorithms.md` 15.1)
    const untouched = batch.steps[0]!.policyVersion === policy.version;
    if (untouched) metrics.max('ratio/first-pass-deviation', drift.maxDeviation);
  }
  return total;
}

/** Statistics of the ratios that the loss is made of: per token, or per step. */
function recordRatios(metrics: MetricsTally, batch: MicroBatch, { ratio, clipped }: ActorLoss): void {
  if (!ratio) return;
  const isPerStep = ratio.shape.length === 1;
  const mask = isPerStep ? batch.stepMask : batch.mask;
  const advantages = isPerStep ? batch.stepAdvantages : batch.tokenAdvantages;
  const ratios = numbers(ratio);
  const { mean, min, max, clamped, count } = ratioStatistics(ratios, mask);
  metrics.mean('ratio/mean', mean, count);
  metrics.min('ratio/min', min);
  metrics.max('ratio/max', max);
  metrics.mean('ratio/clamped', clamped, count);
  if (!clipped || !advantages) return;
  const share = clipStatistics(ratios, numbers(clipped), advantages, mask);
  metrics.mean('ratio/clipped-low', share.low, count);
  metrics.mean('ratio/clipped-high', share.high, count);
}

const numbers = (tensor: Tensor) => tensor.detach().toArray() as Float32Array;
