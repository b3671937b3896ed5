/**
 * The distribution behind paired permutation tests: means of subsets of the differences between two arms over blocks.
 *
 * If nothing but a shift δ separates the arms, every d − δ is as likely as δ − d. Flipping the signs of a subset S leaves a
 * sum at least as large as the observed one exactly where the mean of d over S is at most δ. Sorted means of subsets thus
 * hold the p-value of every δ at once, and their quantiles are the ends of the interval: the typical values of J. A.
 * Hartigan, "Using subsample values as typical values", Journal of the American Statistical Association 64 (1969).
 */
import { Generator, InvalidOptionError } from '@vlgym/core';
import type { Interval } from './wilson.js';

/** Up to this many blocks all 2^n sign flips are counted. */
const EXACT_BLOCKS = 20;

export interface FlipOptions {
  /** Random sign flips where there are too many to count; default 100,000. */
  readonly draws?: number | undefined;
  /** Seed of the random sign flips; default 0. */
  readonly seed?: number | undefined;
}

export class SignFlips {
  readonly mean: number;
  readonly blocks: number;
  /** All sign flips were counted, none drawn. */
  readonly isExact: boolean;
  /** Sorted. */
  readonly #means: Float64Array;
  /** Sign flips that every test counts: the observed one, and draws that flip nothing. */
  readonly #always: number;
  readonly #tolerance: number;

  /**
   * @param differences  One per block, all finite, at least one.
   * @throws {InvalidOptionError}
   */
  constructor(differences: readonly number[], { draws = 100_000, seed = 0 }: FlipOptions = {}) {
    if (differences.length === 0 || !differences.every(Number.isFinite)) {
      throw new InvalidOptionError('differences', differences, 'at least one number, all finite');
    }
    if (!(Number.isInteger(draws) && draws > 0)) throw new InvalidOptionError('draws', draws, '1 or more');
    this.blocks = differences.length;
    this.mean = differences.reduce((sum, value) => sum + value, 0) / this.blocks;
    this.isExact = this.blocks <= EXACT_BLOCKS;
    const { means, empty } = this.isExact ? allMeans(differences) : drawnMeans(differences, draws, seed);
    this.#means = means.sort();
    this.#always = 1 + empty;
    // sums of equal differences in another order differ in their last bits
    this.#tolerance = 1e-12 * Math.max(...differences.map(Math.abs)) + Number.MIN_VALUE;
  }

  /** One-sided p-value of "the mean is at most `shift`" against more. */
  above(shift: number): number {
    return (this.#always + this.#countUpTo(shift + this.#tolerance)) / this.#total;
  }

  /** One-sided p-value of "the mean is at least `shift`" against less. */
  below(shift: number): number {
    const count = this.#means.length - this.#countUpTo(shift - this.#tolerance);
    return (this.#always + count) / this.#total;
  }

  /** Two-sided p-value of "the mean is `shift`". */
  twoSided(shift = 0): number {
    return Math.min(1, 2 * Math.min(this.above(shift), this.below(shift)));
  }

  /** Every shift that the two-sided test does not reject at `alpha`; infinite with too few blocks to reject anything. */
  interval(alpha: number): Interval {
    const rank = Math.floor((alpha / 2) * this.#total + 1e-9) + 1 - this.#always;
    if (rank < 1) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return [this.#means[rank - 1]!, this.#means[this.#means.length - rank]!];
  }

  get #total(): number {
    return this.#means.length + this.#always;
  }

  /** How many means are at most `value`. */
  #countUpTo(value: number): number {
    let [low, high] = [0, this.#means.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#means[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface SubsetMeans {
  readonly means: Float64Array;
  /** Drawn subsets without a member. */
  readonly empty: number;
}

/** The mean of every subset but the empty one. */
function allMeans(differences: readonly number[]): SubsetMeans {
  const subsets = 2 ** differences.length;
  const sums = new Float64Array(subsets);
  const means = new Float64Array(subsets - 1);
  const sizes = new Uint8Array(subsets);
  for (let subset = 1; subset < subsets; subset += 1) {
    const rest = subset & (subset - 1);
    sums[subset] = sums[rest]! + differences[31 - Math.clz32(subset ^ rest)]!;
    sizes[subset] = sizes[rest]! + 1;
    means[subset - 1] = sums[subset]! / sizes[subset]!;
  }
  return { means, empty: 0 };
}

const WORD = 16;

function drawnMeans(differences: readonly number[], draws: number, seed: number): SubsetMeans {
  const rng = new Generator(seed);
  const means: number[] = [];
  let empty = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let [sum, size, word] = [0, 0, 0];
    for (let block = 0; block < differences.length; block += 1) {
      if (block % WORD === 0) word = rng.integers(2 ** WORD);
      if ((word >> (block % WORD)) & 1) {
        sum += differences[block]!;
        size += 1;
      }
    }
    if (size === 0) empty += 1;
    else means.push(sum / size);
  }
  return { means: Float64Array.from(means), empty };
}
