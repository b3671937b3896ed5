/**
 * Does one arm vary more from run to run than another?
 *
 * Deviations from the arm's median, as in M. B. Brown and A. B. Forsythe, "Robust tests for the equality of variances",
 * Journal of the American Statistical Association 69 (1974), which made H. Levene's test robust. Blocks are paired, so
 * that the differences of absolute deviations are tested by sign flips instead of F.
 */
import { InvalidOptionError } from '@vlgym/core';
import { type BlockComparison, type BlockComparisonOptions, blockComparison } from './block-comparison.js';

export interface SpreadComparison extends BlockComparison {
  /** Variance within groups of the first arm over that of the second; infinite if the second does not vary. */
  readonly varianceRatio: number;
}

/**
 * `effect` and `interval` are about the mean absolute deviation, first minus second, in the unit of the scores.
 *
 * @param first   Score of each block.
 * @param second  The same blocks in the same order.
 * @param groups  Group of each block, e.g. its warm start: deviations are from the median of the group, so that what all
 *                its runs share is not spread. Default: one group.
 * @throws {InvalidOptionError}  Lists of different length, or as `blockComparison`.
 */
export function spreadComparison(
  first: readonly number[],
  second: readonly number[],
  groups: readonly string[] = first.map(() => ''),
  options: BlockComparisonOptions = {},
): SpreadComparison {
  if (first.length !== second.length || first.length !== groups.length) {
    throw new InvalidOptionError('second', [second.length, groups.length], `${first.length} scores and groups`);
  }
  const [own, other] = [deviations(first, groups), deviations(second, groups)];
  const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
  const [above, below] = [squares(within(first, groups)), squares(within(second, groups))];
  return {
    ...blockComparison(
      own.map((value, block) => value - other[block]!),
      options,
    ),
    varianceRatio: above === below ? 1 : above / below,
  };
}

const deviations = (scores: readonly number[], groups: readonly string[]) =>
  centered(scores, groups, median).map(Math.abs);

const within = (scores: readonly number[], groups: readonly string[]) =>
  centered(scores, groups, (values) => values.reduce((sum, value) => sum + value, 0) / values.length);

function centered(
  scores: readonly number[],
  groups: readonly string[],
  centerOf: (values: readonly number[]) => number,
): number[] {
  const centers = new Map(
    [...new Set(groups)].map((group) => [group, centerOf(scores.filter((_, block) => groups[block] === group))]),
  );
  return scores.map((score, block) => score - centers.get(groups[block]!)!);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)]! + sorted[Math.ceil(middle - 0.5)]!) / 2;
}
