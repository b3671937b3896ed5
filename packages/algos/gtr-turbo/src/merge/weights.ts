/**
 * How much each checkpoint counts in a merge: simple and exponential moving averages in closed form.
 *
 * Rules: `docs/specs/algorithms.md` 7.4. Pinned by `test/golden/algos/linear_merge.json`.
 */

/** `sma`: all alike. `ema`: the recursion m ← α·new + (1−α)·m in closed form. `ema-normalized`: without its bias to the first. */
export type MergeWeighting = 'sma' | 'ema' | 'ema-normalized';

/** [count] weights that sum to 1, oldest checkpoint first. @param alpha For the moving averages, in (0, 1]; default 0.5. */
export function mergeWeights(count: number, kind: MergeWeighting, alpha = 0.5): Float64Array {
  if (!(count >= 1)) throw new RangeError(`a merge needs at least one checkpoint, got ${count}`);
  if (kind !== 'sma' && !(alpha > 0 && alpha <= 1)) throw new RangeError(`alpha must be in (0, 1], got ${alpha}`);
  if (kind === 'sma') return new Float64Array(count).fill(1 / count);
  const weights = Float64Array.from({ length: count }, (_, i) => {
    const decay = (1 - alpha) ** (count - 1 - i);
    // the recursion starts at the first checkpoint itself, which therefore lacks the factor alpha
    return kind === 'ema' && i === 0 ? decay : alpha * decay;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return kind === 'ema' ? weights : weights.map((weight) => weight / total);
}
