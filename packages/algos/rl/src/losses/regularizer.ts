/**
 * The regularizers of an update: KL to the old policy, the reference or the teacher, and an entropy bonus.
 *
 * Both are averaged like the policy loss, over the same tokens. Rules: `docs/specs/algorithms.md` 2 and 8.1.
 */
import type { RegularizerConfig } from '../config/types.js';
import type { PolicyOutputs } from '../policy.js';
import type { Tensor } from '../tensor.js';
import type { LossBatch } from '../update/loss-batch.js';
import { exactKlTensor, klEstimateTensor } from './kl-estimators.js';

/** One addend of the loss besides actor and critic. */
export interface LossTerm {
  /** [B, L], or [B]; what the mean of it is goes into the metrics as `loss/NAME`. */
  readonly perToken: Tensor;
  readonly coefficient: number;
}

/** Addends by their names in the metrics. */
export type LossTerms = Readonly<Record<string, LossTerm>>;

/** β·KL − coefficient·entropy, each only where its options ask for it. Metrics have the entropy from scoring anyway. */
export function regularize(
  outputs: PolicyOutputs,
  batch: LossBatch,
  { kl, klTo, klCoefficient, entropyCoefficient }: RegularizerConfig,
): LossTerms {
  return {
    ...(kl !== 'none' && { kl: { perToken: klPerToken(outputs, batch, kl, klTo), coefficient: klCoefficient } }),
    ...(entropyCoefficient !== 0 && { entropy: { perToken: outputs.entropies, coefficient: -entropyCoefficient } }),
  };
}

/** [B, L] nats. */
function klPerToken(
  outputs: PolicyOutputs,
  batch: LossBatch,
  kind: Exclude<RegularizerConfig['kl'], 'none'>,
  from: RegularizerConfig['klTo'],
): Tensor {
  if (kind === 'exact') {
    return outputs.klFrom?.(from) ?? exactKlTensor(outputs.distribution(), outputs.distributionOf(from).detach());
  }
  const other = from === 'old' ? batch.oldLogProbs : batch.referenceLogProbs;
  return klEstimateTensor(outputs.logProbs.sub(other), kind);
}
