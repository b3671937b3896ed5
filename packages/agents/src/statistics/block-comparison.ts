/**
 * Two arms over the same blocks, a block being a warm start with a training seed: paired permutation test, its interval,
 * and equivalence within a margin.
 *
 * The test set is fixed and training varies, so one score per run is the observation. Test: signs of the differences are
 * flipped (`sign-flips.ts`). Interval: every shift that the test does not reject. Equivalence: two one-sided tests, D. J.
 * Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987), by the same sign flips.
 */
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { type FlipOptions, SignFlips } from './sign-flips.js';
import type { Interval } from './wilson.js';

export interface BlockComparison {
  /** Mean of the differences. */
  readonly effect: number;
  /** Infinite where no result of so few blocks could be significant: fewer than six at 5 %. */
  readonly interval: Interval;
  /** Two-sided. */
  readonly pValue: number;
  readonly blocks: number;
  /** All sign flips were counted; else they were drawn with a fixed seed. */
  readonly isExact: boolean;
  /** Standard deviation of the differences over blocks; 0 for one block, where it is unknown. */
  readonly standardDeviation: number;
  /** p-value of "the arms differ by `margin` or more"; absent without a margin. */
  readonly equivalencePValue?: number;
}

export interface BlockComparisonOptions extends FlipOptions {
  /** 1 − confidence of the interval, in (0, 1); default 0.05. */
  readonly alpha?: number | undefined;
  /** Above 0, in the unit of the differences. */
  readonly margin?: number | undefined;
}

const BLOCK_COMPARISON_OPTIONS = names<BlockComparisonOptions>({ alpha: 0, margin: 0, draws: 0, seed: 0 });

/**
 * @param differences  First arm minus second arm, one per block.
 * @throws {InvalidOptionError}  No difference, one that is not finite, or an option out of range.
 *
 * @example
 * blockComparison([0.1, 0.2, 0.1, 0.3, 0.2, 0.1]).pValue; // 2 / 64: all six agree
 */
export function blockComparison(differences: readonly number[], options: BlockComparisonOptions = {}): BlockComparison {
  checkNames('options', options, BLOCK_COMPARISON_OPTIONS);
  const { alpha = 0.05, margin, ...flips } = options;
  if (!(alpha > 0 && alpha < 1)) throw new InvalidOptionError('alpha', alpha, 'between 0 and 1');
  if (margin !== undefined && !(margin > 0)) throw new InvalidOptionError('margin', margin, 'a number above 0');
  const test = new SignFlips(differences, flips);
  return {
    effect: test.mean,
    interval: test.interval(alpha),
    pValue: test.twoSided(),
    blocks: test.blocks,
    isExact: test.isExact,
    standardDeviation: standardDeviation(differences),
    ...(margin !== undefined && { equivalencePValue: Math.max(test.above(-margin), test.below(margin)) }),
  };
}

/** With n − 1; 0 for one value. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const center = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}
