/**
 * The regularizers of an update: KL to the old policy, the reference or the teacher, and an entropy bonus.
 *
 * Both are averaged like the policy loss, over the same tokens. Rules: `docs/specs/algorithms.md` 2 and 8.1.
 */
import type { RegularizerConfig, TokenLossConfig } from '../config/types.js';
import type { PolicyOutputs } from '../policy.js';
import type { Tensor } from '../tensor.js';
import type { MicroBatch } from '../update/minibatches.js';
import { aggregationWeights } from './aggregation.js';
import { exactKlTensor, klEstimateTensor } from './kl-estimators.js';

export interface Regularization {
  /** β·KL − coefficient·entropy. */
  readonly loss: Tensor | number;
  /** Mean KL before its coefficient. */
  readonly kl: Tensor | undefined;
  /** Mean entropy; only where the loss contains it. Metrics have it from scoring, without a gradient. */
  readonly entropy: Tensor | undefined;
}

/** @param aggregation  That of the policy loss where it averages over tokens. */
export function regularize(
  outputs: PolicyOutputs,
  batch: MicroBatch,
  { kl: kind, klTo, klCoefficient, entropyCoefficient }: RegularizerConfig,
  { aggregation = 'seq_mean_token_mean', constantLength }: Partial<TokenLossConfig> = {},
): Regularization {
  const { logProbs } = outputs;
  const shape = [batch.rows, batch.length];
  const weights = logProbs.newTensor(
    aggregationWeights(batch.mask, batch.rows, {
      aggregation,
      ...(constantLength !== undefined && { constantLength }),
      totals: batch.totals,
    }),
    shape,
  );

  let perToken: Tensor | undefined;
  if (kind === 'exact') {
    perToken = outputs.klFrom?.(klTo) ?? exactKlTensor(outputs.distribution(), outputs.distributionOf(klTo).detach());
  } else if (kind !== 'none') {
    const other = klTo === 'old' ? batch.oldLogProbs : batch.referenceLogProbs;
    perToken = klEstimateTensor(logProbs.sub(logProbs.newTensor(other, shape)), kind);
  }
  const kl = perToken?.mul(weights).sum();
  const entropy = entropyCoefficient === 0 ? undefined : outputs.entropies.mul(weights).sum();
  const drift = kl?.mul(klCoefficient);
  const bonus = entropy?.mul(-entropyCoefficient);
  const loss = drift && bonus ? drift.add(bonus) : (drift ?? bonus ?? 0);
  return { loss, kl, entropy };
}
