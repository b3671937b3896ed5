/**
 * Indices below `population`: NumPy's `Generator.choice`.
 *
 * Rules follow `numpy/numpy`, `numpy/random/_generator.pyx`, function `choice`; `test/golden/numpy-rng.json` and
 * `generators-fuzz.json` pin the order of draws.
 */
import { below } from './bounded.js';
import { InvalidDrawError } from './errors.js';
import type { PCG64 } from './pcg64.js';

/** Tolerance of the sum of weights: the square root of the double epsilon. */
const SUM_TOLERANCE = 2 ** -26;

/** Running sums of `weights`, scaled so that the last is 1; validated like NumPy's `p`. */
export function cumulative(weights: ArrayLike<number>, population: number): Float64Array {
  if (weights.length !== population) {
    throw new InvalidDrawError('choice', weights, `one weight for each of the ${population} entries`);
  }
  let sum = 0;
  let lost = 0; // Kahan's correction, so that many small weights still sum to 1
  for (let index = 0; index < population; index += 1) {
    const weight = weights[index]!;
    if (!(weight >= 0)) throw new InvalidDrawError('choice', weight, 'weights of 0 or more');
    const next = weight - lost;
    const total = sum + next;
    lost = total - sum - next;
    sum = total;
  }
  if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
    throw new InvalidDrawError('choice', sum, 'weights that sum to 1', 'divide the weights by their sum');
  }
  return runningShare(weights);
}

function runningShare(weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  for (let index = 0; index < sums.length; index += 1) {
    sum += weights[index]!;
    sums[index] = sum;
  }
  for (let index = 0; index < sums.length; index += 1) sums[index]! /= sum;
  return sums;
}

/** The number of entries of the ascending `sums` that are at most `value`. */
export function searchRight(sums: Float64Array, value: number): number {
  let from = 0;
  let to = sums.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sums[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** `size` different indices below `population`, all subsets and orders equally likely. */
export function distinct(bits: PCG64, population: number, size: number): number[] {
  if (population > 10000 && size > Math.floor(population / 50)) {
    const indices = Array.from({ length: population }, (_, index) => index);
    lemireShuffle(bits, indices, Math.max(population - size, 1));
    return indices.slice(population - size);
  }
  // Floyd's method, then one shuffle
  const taken = new Set<number>();
  for (let last = population - size; last < population; last += 1) {
    const index = below(bits, last + 1);
    taken.add(taken.has(index) ? last : index);
  }
  const indices = [...taken];
  lemireShuffle(bits, indices, 1);
  return indices;
}

/** Multiples of 2^-53 in [0, 1). */
interface Doubles {
  nextDouble(): number;
}

/** `size` different indices, drawn one after the other with the given weights. */
export function distinctWeighted(bits: Doubles, weights: ArrayLike<number>, size: number): number[] {
  const rest = Float64Array.from(weights);
  const positive = rest.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);
  if (positive < size) {
    throw new InvalidDrawError('choice', size, `at most ${positive} entries, as many as have a positive weight`);
  }
  const found = new Set<number>();
  while (found.size < size) {
    for (const index of found) rest[index] = 0;
    const sums = runningShare(rest);
    // all draws of a round are made before repeated indices are dropped
    const round = Array.from({ length: size - found.size }, () => searchRight(sums, bits.nextDouble()));
    for (const index of round) found.add(index);
  }
  return [...found];
}

function lemireShuffle(bits: PCG64, values: number[], first: number): void {
  for (let index = values.length - 1; index >= first; index -= 1) {
    const other = below(bits, index + 1);
    const kept = values[index]!;
    values[index] = values[other]!;
    values[other] = kept;
  }
}
