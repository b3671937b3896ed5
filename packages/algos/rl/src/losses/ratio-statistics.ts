/**
 * What to watch about policy ratios: spread, clip fractions, approximate KL to the old policy.
 *
 * Rules: `docs/specs/algorithms.md` 14. Clip fractions and KL are pinned by `test/golden/algos/token_ppo.json`.
 */
import { klEstimate, MAX_LOG_RATIO } from './kl-estimators.js';

export interface RatioStatistics {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Share whose gradient is cut because the ratio fell below 1 − clipLow with A < 0 … */
  readonly clippedLow: number;
  /** … or rose above 1 + clipHigh with A > 0. */
  readonly clippedHigh: number;
  /** max |ratio − 1|. */
  readonly maxDeviation: number;
  /** mean(old − new). */
  readonly k1: number;
  /** mean(ratio − 1 − log ratio). */
  readonly k3: number;
  /** Share of log-ratios beyond ±20, which are clamped. */
  readonly clamped: number;
}

/** @param advantages same length as the log-probabilities. Entries with mask 0 are left out. */
export function ratioStatistics(
  logProbs: ArrayLike<number>,
  oldLogProbs: ArrayLike<number>,
  advantages: ArrayLike<number>,
  mask: ArrayLike<number>,
  { clipLow, clipHigh }: { readonly clipLow: number; readonly clipHigh: number },
): RatioStatistics {
  let count = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let low = 0;
  let high = 0;
  let k1 = 0;
  let k3 = 0;
  let clamped = 0;
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const difference = logProbs[i]! - oldLogProbs[i]!;
    const bounded = Math.min(Math.max(difference, -MAX_LOG_RATIO), MAX_LOG_RATIO);
    const ratio = Math.exp(bounded);
    count += 1;
    sum += ratio;
    min = Math.min(min, ratio);
    max = Math.max(max, ratio);
    if (bounded !== difference) clamped += 1;
    if (ratio < 1 - clipLow && advantages[i]! < 0) low += 1;
    if (ratio > 1 + clipHigh && advantages[i]! > 0) high += 1;
    k1 -= difference;
    k3 += klEstimate(-bounded, 'k3');
  }
  const share = (value: number) => (count > 0 ? value / count : 0);
  if (count === 0) min = max = 1;
  return {
    count,
    mean: count > 0 ? sum / count : 1,
    min,
    max,
    clippedLow: share(low),
    clippedHigh: share(high),
    maxDeviation: Math.max(1 - min, max - 1, 0),
    k1: share(k1),
    k3: share(k3),
    clamped: share(clamped),
  };
}
