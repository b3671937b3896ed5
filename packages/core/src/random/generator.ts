/**
 * NumPy's `Generator` over PCG64, bit for bit: a seed gives the same numbers here and in Python.
 *
 * Rules follow `numpy/numpy`, `numpy/random/_generator.pyx` and `src/distributions/distributions.c`;
 * `test/golden/numpy-rng.json` pins values, order of draws and buffered half-words. Numbers from
 * the tails of the normal and exponential distributions go through `Math.log1p` and are as exact as that function.
 */
import { below, belowBig, Pieces } from './bounded.js';
import { distinct } from './choice.js';
import { checkSize, Draws, fill } from './draws.js';
import { freshSeed } from './entropy.js';
import { InvalidDrawError } from './errors.js';
import { PCG64, type Pcg64State } from './pcg64.js';
import { SeedSequence } from './seed-sequence.js';
import { standardExponential, standardNormal } from './ziggurat.js';

export type GeneratorState = Pcg64State;

/** Width of drawn whole numbers; it decides how the bits are used, hence the numbers. */
export type IntegerType = 'bool' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64';

export class Generator extends Draws {
  readonly #bits: PCG64;
  readonly #sequence: SeedSequence;
  #seed: number | bigint | undefined;

  /**
   * @param seed  A non-negative integer; default: fresh entropy, reported in `seedUsed`.
   * @throws {InvalidSeedError}  Negative, fractional or beyond the safe integers.
   */
  constructor(seed: number | bigint | SeedSequence = freshSeed()) {
    const sequence = seed instanceof SeedSequence ? seed : new SeedSequence(seed);
    const bits = new PCG64(sequence);
    super(bits);
    this.#sequence = sequence;
    this.#bits = bits;
    this.#seed = seed instanceof SeedSequence ? undefined : seed;
  }

  /** The integer this generator was started from; `undefined` after `setState` and for spawned generators. */
  get seedUsed(): number | bigint | undefined {
    return this.#seed;
  }

  /** `count` further generators, independent of this one and of each other; does not draw from this one. */
  spawn(count: number): Generator[] {
    return this.#sequence.spawn(count).map((sequence) => new Generator(sequence));
  }

  /** Multiples of 2^-53 in [0, 1): one, or `size` of them. */
  random(): number;
  random(size: number): Float64Array;
  random(size?: number): number | Float64Array {
    return size === undefined ? this.#bits.nextDouble() : fill('random', size, () => this.#bits.nextDouble());
  }

  /**
   * A whole number in [low, high); `integers(high)` starts at 0. Both bounds are safe integers.
   *
   * @throws {InvalidDrawError}  The range is empty, or a bound is not a safe integer.
   */
  integers(high: number): number;
  integers(low: number, high: number): number;
  integers(low: number, high?: number): number {
    return high === undefined ? this.#integer(0, low) : this.#integer(low, high);
  }

  /**
   * `size` whole numbers in [low, high), drawn like an array of `dtype` in NumPy: 8 and 16 bit types and `bool` cut
   * 32-bit words into pieces, so they differ from the same number of single draws.
   *
   * @throws {InvalidDrawError}  Like `integers`; or a bound does not fit `dtype`.
   */
  integersArray(low: number, high: number, size: number, dtype: IntegerType = 'int64'): number[] {
    checkRange(low, high);
    checkSize('integersArray', size);
    const [lowest, highest] = INTEGER_RANGE[dtype];
    if (low < lowest || high - 1 > highest) {
      throw new InvalidDrawError('integersArray', [low, high], `bounds within ${dtype}: from ${lowest} to ${highest}`);
    }
    const width = PIECE_WIDTH[dtype];
    if (width === undefined) return Array.from({ length: size }, () => this.#integer(low, high));
    const pieces = new Pieces(this.#bits, width);
    return Array.from({ length: size }, () => low + pieces.below(high - low));
  }

  /**
   * A whole number in [low, high) of any 64-bit range; equals `integers` when both apply.
   *
   * @throws {InvalidDrawError}  The range is empty or has more than 2^64 members.
   */
  integersBig(low: bigint, high: bigint): bigint {
    if (low >= high || high - low > 1n << 64n) {
      throw new InvalidDrawError('integersBig', [low, high], 'low < high <= low + 2^64');
    }
    return low + belowBig(this.#bits, high - low);
  }

  /**
   * Uniform over [low, high).
   *
   * @throws {InvalidDrawError}  `high < low`, or their difference is not finite.
   */
  uniform(low?: number, high?: number): number;
  uniform(low: number, high: number, size: number): Float64Array;
  uniform(low = 0, high = 1, size?: number): number | Float64Array {
    const range = high - low;
    if (!(range >= 0 && range < Number.POSITIVE_INFINITY)) {
      throw new InvalidDrawError('uniform', [low, high], 'low <= high, a finite distance apart');
    }
    if (size === undefined) return low + range * this.#bits.nextDouble();
    return fill('uniform', size, () => low + range * this.#bits.nextDouble());
  }

  /**
   * Exponential numbers with mean `scale`.
   *
   * @throws {InvalidDrawError}  `scale` is negative or not a number.
   */
  exponential(scale?: number): number;
  exponential(scale: number, size: number): Float64Array;
  exponential(scale = 1, size?: number): number | Float64Array {
    if (!(scale >= 0)) throw new InvalidDrawError('exponential', scale, 'a scale of 0 or more');
    if (size === undefined) return scale * standardExponential(this.#bits);
    return fill('exponential', size, () => scale * standardExponential(this.#bits));
  }

  /**
   * Number of trials up to and including the first success, 1 or more, if each succeeds with probability `p` below 1/3.
   *
   * @throws {InvalidDrawError}  `p` is not in (0, 1/3): above it NumPy uses a search, which is not needed here.
   */
  geometric(p: number): number {
    if (!(p > 0 && p < 1 / 3)) throw new InvalidDrawError('geometric', p, 'a probability in (0, 1/3)');
    return Math.ceil(-standardExponential(this.#bits) / Math.log1p(-p));
  }

  getState(): GeneratorState {
    return this.#bits.getState();
  }

  /** @throws {InvalidStateError} `state` is not what `getState` returns. */
  setState(state: GeneratorState): void {
    this.#bits.setState(state);
    this.#seed = undefined;
  }

  #integer(low: number, high: number): number {
    checkRange(low, high);
    const count = high - low;
    return Number.isSafeInteger(count)
      ? low + below(this.#bits, count)
      : Number(this.integersBig(BigInt(low), BigInt(high)));
  }

  protected override standardNormal(): number {
    return standardNormal(this.#bits);
  }

  protected override indexBelow(population: number): number {
    return below(this.#bits, population);
  }

  protected override distinctBelow(population: number, size: number): number[] {
    return distinct(this.#bits, population, size);
  }
}

const INTEGER_RANGE: Record<IntegerType, readonly [lowest: number, highest: number]> = {
  bool: [0, 1],
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
};

const PIECE_WIDTH: Partial<Record<IntegerType, 1 | 8 | 16>> = { bool: 1, int8: 8, uint8: 8, int16: 16, uint16: 16 };

function checkRange(low: number, high: number): void {
  if (!(Number.isSafeInteger(low) && Number.isSafeInteger(high) && low < high)) {
    throw new InvalidDrawError('integers', [low, high], 'safe integers low < high', 'high itself is never drawn');
  }
}
