/**
 * Diagnostics of a policy loss: spread of its ratios, clip fractions, and the distance of the tokens from the old policy.
 *
 * Rules: `docs/specs/algorithms.md` 14. Clip fractions and KL are pinned by `test/golden/algos/token_ppo.json`.
 */
import { klEstimate, MAX_LOG_RATIO } from './kl-estimators.js';

export interface RatioStatistics {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Share of ratios whose log was clamped to ±20. */
  readonly clamped: number;
}

/** Ratios at the ends of their range, to the precision of float32. */
const [SMALLEST, LARGEST] = [Math.exp(-MAX_LOG_RATIO) * (1 + 1e-6), Math.exp(MAX_LOG_RATIO) * (1 - 1e-6)];

/** @param mask  Equal length; entries with mask 0 are left out. */
export function ratioStatistics(ratios: ArrayLike<number>, mask: ArrayLike<number>): RatioStatistics {
  let count = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let clamped = 0;
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const ratio = ratios[i]!;
    count += 1;
    sum += ratio;
    min = Math.min(min, ratio);
    max = Math.max(max, ratio);
    if (ratio <= SMALLEST || ratio >= LARGEST) clamped += 1;
  }
  if (count === 0) return { count, mean: 1, min: 1, max: 1, clamped: 0 };
  return { count, mean: sum / count, min, max, clamped: clamped / count };
}

export interface ClipStatistics {
  /** Share of ratios whose gradient is cut because the ratio fell below its bound with A < 0 … */
  readonly low: number;
  /** … or rose above it with A > 0. */
  readonly high: number;
}

/** @param clipped  The ratios after their clip.  @param advantages  Equal length, as all of these. */
export function clipStatistics(
  ratios: ArrayLike<number>,
  clipped: ArrayLike<number>,
  advantages: ArrayLike<number>,
  mask: ArrayLike<number>,
): ClipStatistics {
  let count = 0;
  let low = 0;
  let high = 0;
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    count += 1;
    if (clipped[i]! > ratios[i]! && advantages[i]! < 0) low += 1;
    if (clipped[i]! < ratios[i]! && advantages[i]! > 0) high += 1;
  }
  return { low: low / Math.max(1, count), high: high / Math.max(1, count) };
}

export interface TokenDrift {
  readonly count: number;
  /** max |π / π_old − 1|: what the ratio-is-one test looks at. */
  readonly maxDeviation: number;
  /** mean(old − new). */
  readonly k1: number;
  /** mean(ratio − 1 − log ratio). */
  readonly k3: number;
}

/** Distance of the policy from the old one on the tokens of a batch, regardless of the ratio in its loss. */
export function tokenDrift(
  logProbs: ArrayLike<number>,
  oldLogProbs: ArrayLike<number>,
  mask: ArrayLike<number>,
): TokenDrift {
  let count = 0;
  let maxDeviation = 0;
  let k1 = 0;
  let k3 = 0;
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const difference = logProbs[i]! - oldLogProbs[i]!;
    const bounded = Math.min(Math.max(difference, -MAX_LOG_RATIO), MAX_LOG_RATIO);
    count += 1;
    maxDeviation = Math.max(maxDeviation, Math.abs(Math.exp(bounded) - 1));
    k1 -= difference;
    k3 += klEstimate(-bounded, 'k3');
  }
  return { count, maxDeviation, k1: k1 / Math.max(1, count), k3: k3 / Math.max(1, count) };
}
