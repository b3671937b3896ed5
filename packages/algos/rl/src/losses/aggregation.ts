/**
 * The four ways to average a token loss, as one constant weight per token: loss = Σ weight · token loss.
 *
 * Written this way, gradient accumulation is exact: give every micro-batch the `totals` of the whole optimizer step
 * and the sum of its losses is the loss of the whole. `seq_sum_over_constant` and both sequence means need the number
 * of sequences, `token_mean` the number of tokens; none is invariant when each micro-batch counts only itself, except
 * the sequence-level ones with micro-batches of equal size.
 * Rules: `docs/specs/algorithms.md` 2 and 15.5. Pinned by `test/golden/algos/token_ppo.json`.
 */

/**
 * `token_mean`: over all tokens (DAPO). `seq_mean_token_mean`: over the tokens of a sequence, then over sequences
 * (GRPO, VL-DAC). `seq_mean_token_sum`: sum per sequence, mean over sequences. `seq_sum_over_constant`: sum divided by
 * sequences times a constant length (Dr. GRPO).
 */
export type Aggregation = 'token_mean' | 'seq_mean_token_mean' | 'seq_mean_token_sum' | 'seq_sum_over_constant';

/** Denominators of averages: counts over a whole optimizer step. */
export interface Totals {
  /** Tokens with mask 1. */
  readonly tokens: number;
  /** Sequences with at least one token. */
  readonly sequences: number;
}

export interface AggregationOptions {
  readonly aggregation: Aggregation;
  /** Counts of the whole optimizer step; those of this batch by default. */
  readonly totals?: Totals | undefined;
  /** For `seq_sum_over_constant`. */
  readonly constantLength?: number | undefined;
}

/** Tokens per row of a [rows, length] mask. */
function tokensPerRow(mask: ArrayLike<number>, rows: number): Float64Array {
  const length = mask.length / rows;
  const counts = new Float64Array(rows);
  for (let i = 0; i < mask.length; i++) if (mask[i]) counts[Math.floor(i / length)]! += 1;
  return counts;
}

export function totalsOf(mask: ArrayLike<number>, rows: number): Totals {
  const counts = tokensPerRow(mask, rows);
  return { tokens: counts.reduce((sum, n) => sum + n, 0), sequences: counts.filter((n) => n > 0).length };
}

/** [rows * length] weights; 0 where the mask is 0. All zero when there is nothing to average. */
export function aggregationWeights(
  mask: ArrayLike<number>,
  rows: number,
  { aggregation, totals = totalsOf(mask, rows), constantLength }: AggregationOptions,
): Float64Array {
  const length = mask.length / rows;
  const counts = tokensPerRow(mask, rows);
  if (aggregation === 'seq_sum_over_constant' && !(constantLength && constantLength > 0)) {
    throw new RangeError('seq_sum_over_constant needs a positive `constantLength`');
  }
  const weights = new Float64Array(mask.length);
  for (let i = 0; i < weights.length; i++) {
    if (!mask[i]) continue;
    const divisor = {
      token_mean: totals.tokens,
      seq_mean_token_mean: totals.sequences * counts[Math.floor(i / length)]!,
      seq_mean_token_sum: totals.sequences,
      seq_sum_over_constant: totals.sequences * (constantLength ?? 1),
    }[aggregation];
    weights[i] = 1 / divisor;
  }
  return weights;
}
