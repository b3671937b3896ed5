/**
 * NumPy's older `RandomState`, and `np.random.seed` with the functions of `np.random`, bit for bit.
 *
 * Rules follow `numpy/numpy`, `numpy/random/mtrand.pyx` and `src/legacy/`; `test/golden/numpy-random-state.json` pins values
 * and the order of draws. Numbers of `normal` go through `Math.log` and are as exact as that function.
 */
import { maskedUpTo } from './bounded.js';
import { checkSize, Draws } from './draws.js';
import { freshSeed } from './entropy.js';
import { InvalidDrawError, InvalidSeedError, InvalidStateError } from './errors.js';
import { MersenneTwister, type MersenneTwisterState } from './mersenne-twister.js';

const TWO_32 = 4294967296;

/** A `RandomState` as JSON data. */
export interface RandomStateData extends MersenneTwisterState {
  /** The second normal number of a pair, if it is not used yet. */
  readonly gauss: number | null;
}

export class RandomState extends Draws {
  readonly #bits: MersenneTwister;
  #gauss: number | null = null;

  /**
   * @param seed  0 to 2^32 - 1; default: fresh entropy.
   * @throws {InvalidSeedError}  Not such an integer.
   */
  constructor(seed: number = freshSeed() % TWO_32) {
    const bits = new MersenneTwister([0]);
    super(bits);
    this.#bits = bits;
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
    return size === undefined ? this.#bits.nextDouble() : this.#fill('random', size, 0, 1);
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
    return this.#fill('uniform', size, low, range);
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

  #fill(method: string, size: number, low: number, range: number): Float64Array {
    checkSize(method, size);
    const values = new Float64Array(size);
    this.#bits.fill(values, low, range);
    return values;
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
  protected override standardNormal(): number {
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

  protected override indexBelow(population: number): number {
    return this.randint(population);
  }

  protected override distinctBelow(population: number, size: number): number[] {
    return this.permutation(population).slice(0, size);
  }
}
