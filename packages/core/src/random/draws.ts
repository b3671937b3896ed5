/** Distributions that NumPy's two generators draw in the same way from their bits. */
import { checkNames, names } from '../options.js';
import { maskedUpTo } from './bounded.js';
import { cumulative, distinctWeighted, searchRight } from './choice.js';
import { InvalidDrawError } from './errors.js';

export interface ChoiceOptions {
  /** Number of draws; without it, one item is returned instead of an array. */
  readonly size?: number | undefined;
  /** False: each item is taken at most once. */
  readonly replace?: boolean | undefined;
  /** One weight per item; they sum to 1. */
  readonly p?: ArrayLike<number> | undefined;
}
type Sized = ChoiceOptions & { readonly size: number };

const CHOICE_OPTIONS = names<ChoiceOptions>({ size: 0, replace: 0, p: 0 });

interface Bits {
  nextDouble(): number;
  nextUint32(): number;
}

export abstract class Draws {
  readonly #bits: Bits;

  constructor(bits: Bits) {
    this.#bits = bits;
  }

  /** From the normal distribution with mean 0 and deviation 1. */
  protected abstract standardNormal(): number;
  /** A whole number in [0, population). */
  protected abstract indexBelow(population: number): number;
  /** Different whole numbers in [0, population). */
  protected abstract distinctBelow(population: number, size: number): number[];

  /**
   * Normal numbers with the given mean and standard deviation.
   *
   * @throws {InvalidDrawError}  `deviation` is negative or not a number.
   */
  normal(mean?: number, deviation?: number): number;
  normal(mean: number, deviation: number, size: number): Float64Array;
  normal(mean = 0, deviation = 1, size?: number): number | Float64Array {
    if (!(deviation >= 0)) throw new InvalidDrawError('normal', deviation, 'a standard deviation of 0 or more');
    if (size === undefined) return mean + deviation * this.standardNormal();
    return fill('normal', size, () => mean + deviation * this.standardNormal());
  }

  /**
   * Items of an array, or numbers below `n`: one, or an array of `size`.
   *
   * @throws {InvalidDrawError}  The population is empty or too small, or the weights are invalid.
   */
  choice(n: number, options?: ChoiceOptions & { readonly size?: never }): number;
  choice(n: number, options: Sized): number[];
  choice<T>(items: readonly T[], options?: ChoiceOptions & { readonly size?: never }): T;
  choice<T>(items: readonly T[], options: Sized): T[];
  choice<T>(from: number | readonly T[], options: ChoiceOptions = {}): unknown {
    checkNames('options', options, CHOICE_OPTIONS);
    const { size, replace = true, p } = options;
    const population = typeof from === 'number' ? from : from.length;
    const indices = this.#chooseIndices(population, size ?? 1, replace, p);
    const chosen = typeof from === 'number' ? indices : indices.map((index) => from[index]);
    return size === undefined ? chosen[0] : chosen;
  }

  /** Puts the items in random order, in place. */
  shuffle(items: { readonly length: number; [index: number]: unknown }): void {
    for (let index = items.length - 1; index > 0; index -= 1) {
      const other = maskedUpTo(this.#bits, index);
      const kept = items[index];
      items[index] = items[other];
      items[other] = kept;
    }
  }

  /** The numbers below `n`, or a copy of the items, in random order. */
  permutation(n: number): number[];
  permutation<T>(items: readonly T[]): T[];
  permutation<T>(from: number | readonly T[]): (number | T)[] {
    if (typeof from === 'number') checkSize('permutation', from);
    const items: (number | T)[] = typeof from === 'number' ? Array.from({ length: from }, (_, i) => i) : [...from];
    this.shuffle(items);
    return items;
  }

  #chooseIndices(population: number, size: number, replace: boolean, p: ArrayLike<number> | undefined): number[] {
    checkSize('choice', size);
    if (!Number.isSafeInteger(population) || population < 0 || (population === 0 && size > 0)) {
      throw new InvalidDrawError('choice', population, 'at least one item to choose from');
    }
    const sums = p && population > 0 ? cumulative(p, population) : undefined;
    if (replace) {
      const draw = sums ? () => searchRight(sums, this.#bits.nextDouble()) : () => this.indexBelow(population);
      return Array.from({ length: size }, draw);
    }
    if (size > population) {
      throw new InvalidDrawError('choice', size, `at most ${population} items without replacement`);
    }
    return p ? distinctWeighted(this.#bits, p, size) : this.distinctBelow(population, size);
  }
}

export function checkSize(method: string, size: number): void {
  if (!Number.isSafeInteger(size) || size < 0 || size > 0xffffffff) {
    throw new InvalidDrawError(method, size, 'a size of 0 or more');
  }
}

export function fill(method: string, size: number, draw: () => number): Float64Array {
  checkSize(method, size);
  const values = new Float64Array(size);
  for (let index = 0; index < size; index += 1) values[index] = draw();
  return values;
}
