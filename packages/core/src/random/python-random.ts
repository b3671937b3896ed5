/**
 * Python's `random.Random`, bit for bit: the generator of the card games and other published environments.
 *
 * Rules follow `python/cpython`, `Lib/random.py` and `Modules/_randommodule.c` (unchanged from 3.2 to 3.13 for what is
 * here); `test/golden/gym-cards.json`, field `python_random`, pins them.
 */
import { checkNames, names } from '../options.js';
import { searchRight } from './choice.js';
import { freshSeed } from './entropy.js';
import { InvalidDrawError, InvalidSeedError } from './errors.js';
import { MersenneTwister, type MersenneTwisterState } from './mersenne-twister.js';
import { fromWords, toWords } from './words.js';

export type PythonRandomState = MersenneTwisterState;

export interface ChoicesOptions {
  /** Number of draws. */
  readonly k?: number | undefined;
  /** One weight of 0 or more per item; they need not sum to 1. */
  readonly weights?: readonly number[] | undefined;
}

const PYTHON_RANDOM_CHOICES_OPTIONS = names<ChoicesOptions>({ k: 0, weights: 0 });

export class PythonRandom {
  readonly #bits: MersenneTwister;
  #seed: number | bigint | undefined;

  /**
   * @param seed  An integer; default: fresh entropy, reported in `seedUsed`. As in Python, the sign is ignored.
   * @throws {InvalidSeedError}  Fractional or beyond the safe integers.
   */
  constructor(seed: number | bigint = freshSeed()) {
    this.#bits = new MersenneTwister(keyOf(seed));
    this.#seed = seed;
  }

  /** The integer this generator was started from; `undefined` after `setState`. */
  get seedUsed(): number | bigint | undefined {
    return this.#seed;
  }

  /** Restarts the generator. */
  seed(seed: number | bigint = freshSeed()): void {
    this.#bits.seed(keyOf(seed));
    this.#seed = seed;
  }

  /** A multiple of 2^-53 in [0, 1). */
  random(): number {
    return this.#bits.nextDouble();
  }

  /**
   * `k` random bits as a number, 0 <= k <= 53; `getrandbitsBig` has no upper limit.
   *
   * @throws {InvalidDrawError}  `k` is out of range.
   */
  getrandbits(k: number): number {
    if (!(Number.isInteger(k) && k >= 0 && k <= 53)) {
      throw new InvalidDrawError('getrandbits', k, '0 to 53 bits', 'use getrandbitsBig for more');
    }
    if (k === 0) return 0;
    if (k <= 32) return this.#bits.nextUint32() >>> (32 - k);
    const low = this.#bits.nextUint32();
    return (this.#bits.nextUint32() >>> (64 - k)) * 4294967296 + low;
  }

  /** `k` random bits. */
  getrandbitsBig(k: number): bigint {
    if (!Number.isSafeInteger(k) || k < 0) throw new InvalidDrawError('getrandbitsBig', k, '0 or more bits');
    const words: number[] = [];
    for (let left = k; left > 0; left -= 32) {
      const word = this.#bits.nextUint32();
      words.push(left < 32 ? word >>> (32 - left) : word);
    }
    return fromWords(words);
  }

  /**
   * A whole number in [0, n), 1 <= n <= 2^53. (Python's `_randbelow`, which `randrange(n)` calls.)
   *
   * @throws {InvalidDrawError}  `n` is out of range.
   */
  below(n: number): number {
    if (!(Number.isInteger(n) && n >= 1 && n <= 2 ** 53)) {
      throw new InvalidDrawError('below', n, 'a whole number from 1 to 2^53', 'use belowBig for more');
    }
    if (n === 2 ** 53) return Number(this.belowBig(BigInt(n)));
    // the bit length of n itself, not of n - 1: below(4) draws three bits
    const k = n <= 0xffffffff ? 32 - Math.clz32(n) : 64 - Math.clz32(Math.floor(n / 4294967296));
    let value = this.getrandbits(k);
    while (value >= n) value = this.getrandbits(k);
    return value;
  }

  /** `below` for any positive `n`. */
  belowBig(n: bigint): bigint {
    if (n < 1n) throw new InvalidDrawError('belowBig', n, '1 or more');
    const k = n.toString(2).length;
    let value = this.getrandbitsBig(k);
    while (value >= n) value = this.getrandbitsBig(k);
    return value;
  }

  /**
   * A whole number from a to b, both possible.
   *
   * @throws {InvalidDrawError}  `a > b`, or a bound is not a safe integer.
   */
  randint(a: number, b: number): number {
    if (!(Number.isSafeInteger(a) && Number.isSafeInteger(b) && a <= b)) {
      throw new InvalidDrawError('randint', [a, b], 'safe integers a <= b', 'use randintBig for larger numbers');
    }
    const count = b - a + 1;
    return count <= 2 ** 53 && Number.isSafeInteger(b - a)
      ? a + this.below(count)
      : Number(this.randintBig(BigInt(a), BigInt(b)));
  }

  /** `randint` for any integers. */
  randintBig(a: bigint, b: bigint): bigint {
    if (a > b) throw new InvalidDrawError('randintBig', [a, b], 'a <= b');
    return a + this.belowBig(b - a + 1n);
  }

  /** Uniform between a and b, in either order; rounding can give `b` itself. */
  uniform(a: number, b: number): number {
    return a + (b - a) * this.random();
  }

  /** @throws {InvalidDrawError} `items` is empty. */
  choice<T>(items: ArrayLike<T>): T {
    if (items.length === 0) throw new InvalidDrawError('choice', items, 'at least one item');
    return items[this.below(items.length)]!;
  }

  /**
   * `k` items with replacement.
   *
   * @throws {InvalidDrawError}  The population is empty, or the weights are invalid.
   */
  choices<T>(items: ArrayLike<T>, options: ChoicesOptions = {}): T[] {
    checkNames('options', options, PYTHON_RANDOM_CHOICES_OPTIONS);
    const { k = 1, weights } = options;

    if (!Number.isSafeInteger(k) || k < 0) throw new InvalidDrawError('choices', k, 'a number of draws, 0 or more');
    if (items.length === 0 && k > 0) throw new InvalidDrawError('choices', items, 'at least one item');
    if (weights === undefined) {
      return Array.from({ length: k }, () => items[Math.floor(this.random() * items.length)]!);
    }
    const sums = runningSums(weights, items.length);
    const total = sums.at(-1)!;
    const last = items.length - 1;
    return Array.from({ length: k }, () => items[Math.min(searchRight(sums, this.random() * total), last)]!);
  }

  /** Puts the items in random order, in place. */
  shuffle(items: { readonly length: number; [index: number]: unknown }): void {
    for (let index = items.length - 1; index > 0; index -= 1) {
      const other = this.below(index + 1);
      const kept = items[index];
      items[index] = items[other];
      items[other] = kept;
    }
  }

  /**
   * `k` different items in the order drawn; a number n is the population 0, …, n - 1.
   *
   * @throws {InvalidDrawError}  `k` is negative or larger than the population.
   */
  sample(population: number, k: number): number[];
  sample<T>(population: readonly T[], k: number): T[];
  sample<T>(population: number | readonly T[], k: number): (number | T)[] {
    const n = typeof population === 'number' ? population : population.length;
    if (!(Number.isSafeInteger(n) && Number.isSafeInteger(k) && k >= 0 && k <= n)) {
      throw new InvalidDrawError('sample', k, `0 to ${n} items`);
    }
    const indices = this.#sampleIndices(n, k);
    return typeof population === 'number' ? indices : indices.map((index) => population[index]!);
  }

  getState(): PythonRandomState {
    return this.#bits.getState();
  }

  /** @throws {InvalidStateError} `state` is not what `getState` returns. */
  setState(state: PythonRandomState): void {
    this.#bits.setState(state);
    this.#seed = undefined;
  }

  #sampleIndices(n: number, k: number): number[] {
    // CPython uses a list of n or a set of k, whichever it estimates as smaller; the draws differ
    const setSize = 21 + (k > 5 ? 4 ** Math.ceil(Math.log(k * 3) / Math.log(4)) : 0);
    if (n > setSize) {
      const taken = new Set<number>();
      while (taken.size < k) taken.add(this.below(n));
      return [...taken];
    }
    const pool = Array.from({ length: n }, (_, index) => index);
    return Array.from({ length: k }, (_, done) => {
      const place = this.below(n - done);
      const taken = pool[place]!;
      pool[place] = pool[n - done - 1]!;
      return taken;
    });
  }
}

function keyOf(seed: number | bigint): number[] {
  if (typeof seed === 'bigint') return toWords(seed < 0n ? -seed : seed);
  if (Number.isSafeInteger(seed)) return toWords(Math.abs(seed));
  throw new InvalidSeedError(seed, 'an integer within the safe integers, or a bigint');
}

function runningSums(weights: readonly number[], count: number): Float64Array {
  let sum = 0;
  const sums = Float64Array.from(weights, (weight) => {
    sum += weight;
    return sum;
  });
  if (
    weights.length !== count ||
    weights.some((weight) => !(weight >= 0)) ||
    !(sum > 0 && sum < Number.POSITIVE_INFINITY)
  ) {
    throw new InvalidDrawError('choices', weights, `${count} weights of 0 or more, one of them positive`);
  }
  return sums;
}
