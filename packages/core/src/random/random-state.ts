/**
 * NumPy's older `RandomState`, and `np.random.seed` with the functions of `np.random`, bit for bit.
 *
 * Rules follow `numpy/numpy`, `numpy/random/mtrand.pyx` and `src/legacy/`; `test/golden/numpy-random-state.json` pins values
 * and the order of draws. Numbers of `normal` go through `Math.log` and are as exact as that function.
 */
import { checkNames, names } from '../options.js';
import { maskedUpTo } from './bounded.js';
import { cumulative, distinctWeighted, searchRight } from './choice.js';
import { freshSeed } from './entropy.js';
import { InvalidDrawError, InvalidSeedError, InvalidStateError } from './errors.js';
import type { ChoiceOptions } from './generator.js';
import { MersenneTwister, type MersenneTwisterState } from './mersenne-twister.js';

const TWO_32 = 4294967296;

/** A `RandomState` as JSON data. */
export interface RandomStateData extends MersenneTwisterState {
  /** The second normal number of a pair, if it is not used yet. */
  readonly gauss: number | null;
}
type Sized = ChoiceOptions & { readonly size: number };

const RANDOM_STATE_CHOICE_OPTIONS = names<ChoiceOptions>({ size: 0, replace: 0, p: 0 });

export class RandomState {
  readonly #bits = new MersenneTwister([0]);
  #gauss: number | null = null;

  /**
   * @param seed  0 to 2^32 - 1; default: fresh entropy.
   * @throws {InvalidSeedError}  Not such an integer.
   */
  constructor(seed: number = freshSeed() % TWO_32) {
    this.seed(seed);
  }

  /** Restarts the generator. @throws {InvalidSeedError} Not an integer from 0 to 2^32 - 1. */
  seed(seed: number): void {
    if (!(Number.isInteger(seed) && seed >= 0 && seed < TWO_32)) {
      throw new InvalidSeedError(seed, 'an integer from 0 to 4294967295', 'pass a whole number such as 7');
    }
    this.#bits.seedWord(seed);
    this.#gauss = null;
  }

  /** Multiples of 2^-53 in [0, 1): one, or `size` of them. */
  random(): number;
  random(size: number): Float64Array;
  random(size?: number): number | Float64Array {
    return size === undefined ? this.#bits.nextDouble() : fill('random', size, () => this.#bits.nextDouble());
  }

  /**
   * Uniform over [low, high), also if `high` is below `low`.
   *
   * @throws {InvalidDrawError}  The difference of the bounds is not finite.
   */
  uniform(low?: number, high?: number): number;
  uniform(low: number, high: number, size: number): Float64Array;
  uniform(low = 0, high = 1, size?: number): number | Float64Array {
    const range = high - low;
    if (!Number.isFinite(range)) throw new InvalidDrawError('uniform', [low, high], 'bounds a finite distance apart');
    if (size === undefined) return low + range * this.#bits.nextDouble();
    return fill('uniform', size, () => low + range * this.#bits.nextDouble());
  }

  /**
   * Normal numbers with the given mean and standard deviation.
   *
   * @throws {InvalidDrawError}  `deviation` is negative or not a number.
   */
  normal(mean?: number, deviation?: number): number;
  normal(mean: number, deviation: number, size: number): Float64Array;
  normal(mean = 0, deviation = 1, size?: number): number | Float64Array {
    if (!(deviation >= 0)) throw new InvalidDrawError('normal', deviation, 'a standard deviation of 0 or more');
    if (size === undefined) return mean + deviation * this.#standardNormal();
    return fill('normal', size, () => mean + deviation * this.#standardNormal());
  }

  /**
   * Whole numbers in [low, high); `randint(high)` starts at 0.
   *
   * @throws {InvalidDrawError}  The range is empty, or a bound or the range is not a safe integer.
   */
  randint(high: number): number;
  randint(low: number, high: number): number;
  randint(low: number, high: number, size: number): number[];
  randint(low: number, high?: number, size?: number): number | number[] {
    const [from, to] = high === undefined ? [0, low] : [low, high];
    if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to && Number.isSafeInteger(to - from))) {
      throw new InvalidDrawError('randint', [from, to], 'safe integers low < high', 'high itself is never drawn');
    }
    const last = to - from - 1;
    if (size === undefined) return from + this.#upTo(last);
    checkSize('randint', size);
    return Array.from({ length: size }, () => from + this.#upTo(last));
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
    checkNames('options', options, RANDOM_STATE_CHOICE_OPTIONS);
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

  getState(): RandomStateData {
    return { ...this.#bits.getState(), gauss: this.#gauss };
  }

  /** @throws {InvalidStateError} `state` is not what `getState` returns. */
  setState(state: RandomStateData): void {
    const { gauss } = (state ?? {}) as Partial<RandomStateData>;
    if (gauss !== null && !Number.isFinite(gauss)) {
      throw new InvalidStateError(state, '{ words, index, gauss: a finite number or null }');
    }
    this.#bits.setState(state);
    this.#gauss = gauss as number | null;
  }

  /** An integer in [0, last]; a `last` of 0 draws nothing. */
  #upTo(last: number): number {
    if (last === TWO_32 - 1) return this.#bits.nextUint32();
    if (last < TWO_32) return maskedUpTo(this.#bits, last);
    const highMask = 0xffffffff >>> Math.clz32(Math.floor(last / TWO_32));
    for (;;) {
      const high = (this.#bits.nextUint32() & highMask) >>> 0;
      const value = high * TWO_32 + this.#bits.nextUint32();
      if (value <= last) return value;
    }
  }

  /** Marsaglia's polar method, which makes two numbers at once. */
  #standardNormal(): number {
    if (this.#gauss !== null) {
      const kept = this.#gauss;
      this.#gauss = null;
      return kept;
    }
    for (;;) {
      const x = 2 * this.#bits.nextDouble() - 1;
      const y = 2 * this.#bits.nextDouble() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      this.#gauss = factor * x;
      return factor * y;
    }
  }

  #chooseIndices(population: number, size: number, replace: boolean, p: ArrayLike<number> | undefined): number[] {
    checkSize('choice', size);
    if (!Number.isSafeInteger(population) || population < 0 || (population === 0 && size > 0)) {
      throw new InvalidDrawError('choice', population, 'at least one item to choose from');
    }
    const sums = p && population > 0 ? cumulative(p, population) : undefined;
    if (replace) {
      const draw = sums ? () => searchRight(sums, this.#bits.nextDouble()) : () => this.randint(population);
      return Array.from({ length: size }, draw);
    }
    if (size > population) {
      throw new InvalidDrawError('choice', size, `at most ${population} items without replacement`);
    }
    return p ? distinctWeighted(this.#bits, p, size) : this.permutation(population).slice(0, size);
  }
}

function checkSize(method: string, size: number): void {
  if (!Number.isSafeInteger(size) || size < 0 || size > 0xffffffff) {
    throw new InvalidDrawError(method, size, 'a size of 0 or more');
  }
}

function fill(method: string, size: number, draw: () => number): Float64Array {
  checkSize(method, size);
  return Float64Array.from({ length: size }, draw);
}
