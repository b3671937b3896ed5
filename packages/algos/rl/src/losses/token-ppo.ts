/**
 * PPO with one ratio per token: asymmetric clip (clip-higher), optional dual clip, four aggregations.
 *
 * Rules: `docs/specs/algorithms.md` 8.1, 9.3, 9.4 and 15.8. Pinned by `test/golden/algos/token_ppo.json` and `vldac.json`.
 */

import type { Tensor } from '../tensor.js';
import { type AggregationOptions, aggregationWeights } from './aggregation.js';
import { MAX_LOG_RATIO } from './kl-estimators.js';

export interface TokenPpoBatch {
  /** [B*L] of the policy that generated the batch, same definition as the new ones. */
  readonly oldLogProbs: ArrayLike<number>;
  /** [B] one per step, or [B*L] one per token. */
  readonly advantages: ArrayLike<number>;
  /** [B*L] 1 on tokens that are trained. */
  readonly mask: ArrayLike<number>;
  /** [B*L] constant factors on the token losses (`importanceWeights`); none by default. */
  readonly importance?: ArrayLike<number>;
}

export interface TokenPpoOptions extends AggregationOptions {
  /** The ratio may fall to 1 − clipLow … */
  readonly clipLow: number;
  /** … and rise to 1 + clipHigh. */
  readonly clipHigh: number;
  /** Where A < 0 the token loss is at most −dualClip·A; > 1. Off by default. */
  readonly dualClip?: number | null | undefined;
}

export interface TokenPpoLoss {
  readonly loss: Tensor;
  /** [B, L] */
  readonly tokenLoss: Tensor;
  /** [B, L] */
  readonly ratio: Tensor;
}

/**
 * token loss = max(−ratio·A, −clip(ratio, 1 − clipLow, 1 + clipHigh)·A), log-ratios clamped to ±20.
 *
 * @param logProbs [B, L] of the current weights, with gradient.
 */
export function ppoTokenLoss(logProbs: Tensor, batch: TokenPpoBatch, options: TokenPpoOptions): TokenPpoLoss {
  const { clipLow, clipHigh, dualClip } = options;
  const [rows = 0, length = 0] = logProbs.shape;
  const shape = [rows, length];
  const perStep = batch.advantages.length === rows && rows * length !== rows;
  const advantages = logProbs.newTensor(batch.advantages, perStep ? [rows, 1] : shape);

  const ratio = logRatio(logProbs, logProbs.newTensor(batch.oldLogProbs, shape)).exp();
  const negative = advantages.neg();
  let tokenLoss = ratio.mul(negative).maximum(ratio.clamp(1 - clipLow, 1 + clipHigh).mul(negative));
  if (dualClip) {
    const bounded = tokenLoss.minimum(negative.mul(dualClip));
    const isNegative = advantages.lt(0).to(logProbs.dtype as 'float32');
    tokenLoss = bounded.mul(isNegative).add(tokenLoss.mul(isNegative.neg().add(1)));
  }

  const weights = aggregationWeights(batch.mask, rows, options);
  if (batch.importance) for (let i = 0; i < weights.length; i++) weights[i]! *= batch.importance[i]!;
  return { loss: tokenLoss.mul(logProbs.newTensor(weights, shape)).sum(), tokenLoss, ratio };
}

/** new − old, clamped so that its exponential stays finite. */
export function logRatio(logProbs: Tensor, oldLogProbs: Tensor): Tensor {
  return logProbs.sub(oldLogProbs).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO);
}
