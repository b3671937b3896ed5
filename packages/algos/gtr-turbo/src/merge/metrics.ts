/** Metrics of a merge, over all matrices (`docs/specs/algorithms.md` 7.7). */
import type { MergeStatistics } from './ties.js';

export interface MergeMetrics {
  /** ‖τ‖ / ‖weighted mean of Δ‖; 1 for an exact linear merge. */
  readonly normRatio: number;
  /** Share of entries with votes for both signs. */
  readonly conflictShare: number;
  /** Share of entries where every checkpoint votes for one sign. */
  readonly unanimousShare: number;
  /** cosine(τ, latest Δ). */
  readonly cosineToLatest: number;
}

export function mergeMetrics(statistics: readonly MergeStatistics[]): MergeMetrics {
  const sum = (key: keyof MergeStatistics) => statistics.reduce((total, one) => total + one[key], 0);
  const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  return {
    normRatio: ratio(Math.sqrt(sum('mergedSquares')), Math.sqrt(sum('meanSquares'))),
    conflictShare: ratio(sum('conflicts'), sum('entries')),
    unanimousShare: ratio(sum('unanimous'), sum('entries')),
    cosineToLatest: ratio(sum('mergedDotLatest'), Math.sqrt(sum('mergedSquares') * sum('latestSquares'))),
  };
}
