/**
 * Constant weights for losses on tokens that were sampled from another distribution than the one trained.
 *
 * Rules: `docs/specs/algorithms.md` 9.9 (truncated importance sampling) and 12. Pinned by `test/golden/algos/importance_weights.json`.
 */
import { MAX_LOG_RATIO } from './kl-estimators.js';

export interface ImportanceOptions {
  /** One weight per token, or the product over a sequence. */
  readonly level: 'token' | 'sequence';
  /** `truncate`: w clamped to [lower, cap]. `mask`: w within these bounds, 0 outside. */
  readonly mode: 'truncate' | 'mask';
  /** Usually 2 to 5. */
  readonly cap: number;
  /** Default 0. */
  readonly lower?: number | undefined;
}

export interface ImportanceWeights {
  /** [B*L] per token; 0 on padding. A weight of a whole sequence is repeated on its tokens. */
  readonly tokens: Float64Array;
  /** [B] the product over a sequence, truncated or masked. */
  readonly sequences: Float64Array;
  /** [B] exp of the mean log-ratio, untruncated. */
  readonly geometricMean: Float64Array;
  /** (Σw)² / Σw² over the untruncated token weights. */
  readonly effectiveSampleSize: number;
  /** Mean |old − behavior| over tokens, nats. */
  readonly meanAbsoluteGap: number;
}

/**
 * @param oldLogProbs       [B*L] of the trainer before the update.
 * @param behaviorLogProbs [B*L] of the distribution really sampled from.
 * @param mask              [B*L]
 */
export function importanceWeights(
  oldLogProbs: ArrayLike<number>,
  behaviorLogProbs: ArrayLike<number>,
  mask: ArrayLike<number>,
  rows: number,
  { level, mode, cap, lower = 0 }: ImportanceOptions,
): ImportanceWeights {
  const length = mask.length / rows;
  const limited = (weight: number) => {
    if (weight >= lower && weight <= cap) return weight;
    return mode === 'mask' ? 0 : weight > cap ? cap : lower;
  };
  const tokens = new Float64Array(mask.length);
  const sequences = new Float64Array(rows);
  const geometricMean = new Float64Array(rows);
  let sum = 0;
  let squares = 0;
  let gap = 0;
  let total = 0;
  for (let row = 0; row < rows; row++) {
    let logSum = 0;
    let count = 0;
    for (let i = row * length; i < (row + 1) * length; i++) {
      if (!mask[i]) continue;
      const difference = oldLogProbs[i]! - behaviorLogProbs[i]!;
      const weight = weightOf(difference);
      tokens[i] = limited(weight);
      logSum += difference;
      count += 1;
      sum += weight;
      squares += weight * weight;
      gap += Math.abs(difference);
    }
    total += count;
    geometricMean[row] = weightOf(count > 0 ? logSum / count : 0);
    sequences[row] = limited(weightOf(logSum));
    if (level !== 'token') {
      for (let i = row * length; i < (row + 1) * length; i++) if (mask[i]) tokens[i] = sequences[row]!;
    }
  }
  return {
    tokens,
    sequences,
    geometricMean,
    effectiveSampleSize: squares > 0 ? (sum * sum) / squares : 0,
    meanAbsoluteGap: total > 0 ? gap / total : 0,
  };
}

const weightOf = (difference: number) => Math.exp(Math.min(Math.max(difference, -MAX_LOG_RATIO), MAX_LOG_RATIO));
