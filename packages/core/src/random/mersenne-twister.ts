/**
 * MT19937, the bit source under Python's `random` and NumPy's `RandomState`. They seed it in different ways.
 *
 * Rules follow Matsumoto and Nishimura (1998), `python/cpython`, `Modules/_randommodule.c`, and `numpy/numpy`,
 * `numpy/random/src/mt19937/`; `test/golden/gym-cards.json`, field `python_random`, and `test/golden/numpy-random-state.json`
 * pin the outputs.
 */
import { InvalidStateError } from './errors.js';

const N = 624;
const M = 397;
/** Signed, as all words are kept: engines compute with signed 32-bit numbers several times as fast as with unsigned ones. */
const UPPER = 0x80000000 | 0;
const LOWER = 0x7fffffff;
const MATRIX = 0x9908b0df | 0;
const TEMPER_B = 0x9d2c5680 | 0;
const TEMPER_C = 0xefc60000 | 0;

/** A Mersenne Twister as JSON data. */
export interface MersenneTwisterState {
  /** 624 unsigned 32-bit words. */
  readonly words: readonly number[];
  /** Number of outputs since the last mixing of the words, 0 to 624. */
  readonly index: number;
}

/** A word of the state as an output, signed. */
function temper(word: number): number {
  let y = word ^ (word >>> 11);
  y ^= (y << 7) & TEMPER_B;
  y ^= (y << 15) & TEMPER_C;
  return y ^ (y >>> 18);
}

const mixed = (upper: number, lower: number): number => {
  const y = (upper & UPPER) | (lower & LOWER);
  return (y >>> 1) ^ (-(y & 1) & MATRIX);
};

/** The next 624 words of the state. */
function mix(words: Int32Array): void {
  let k = 0;
  for (; k < N - M; k += 1) words[k] = words[k + M]! ^ mixed(words[k]!, words[k + 1]!);
  for (; k < N - 1; k += 1) words[k] = words[k + M - N]! ^ mixed(words[k]!, words[k + 1]!);
  words[k] = words[M - 1]! ^ mixed(words[k]!, words[0]!);
}

export class MersenneTwister {
  readonly #words = new Int32Array(N);
  #index = N;

  /** @param key  At least one unsigned 32-bit word. */
  constructor(key: readonly number[]) {
    this.seed(key);
  }

  /** One unsigned 32-bit word fills the state, as NumPy seeds. */
  seedWord(word: number): void {
    const words = this.#words;
    words[0] = word;
    for (let i = 1; i < N; i += 1) words[i] = Math.imul(1812433253, words[i - 1]! ^ (words[i - 1]! >>> 30)) + i;
    this.#index = N;
  }

  /** A list of words is mixed into the state, as Python seeds. */
  seed(key: readonly number[]): void {
    const words = this.#words;
    this.seedWord(19650218);

    let i = 1;
    const next = () => {
      i += 1;
      if (i === N) {
        words[0] = words[N - 1]!;
        i = 1;
      }
    };
    for (let k = 0; k < Math.max(N, key.length); k += 1) {
      const j = k % key.length;
      words[i] = (words[i]! ^ Math.imul(words[i - 1]! ^ (words[i - 1]! >>> 30), 1664525)) + key[j]! + j;
      next();
    }
    for (let k = 1; k < N; k += 1) {
      words[i] = (words[i]! ^ Math.imul(words[i - 1]! ^ (words[i - 1]! >>> 30), 1566083941)) - i;
      next();
    }
    words[0] = UPPER;
    this.#index = N;
  }

  /** 32 random bits. */
  nextUint32(): number {
    if (this.#index === N) {
      mix(this.#words);
      this.#index = 0;
    }
    const word = this.#words[this.#index]!;
    this.#index += 1;
    return temper(word) >>> 0;
  }

  /** A multiple of 2^-53 in [0, 1). */
  nextDouble(): number {
    const high = this.nextUint32() >>> 5;
    const low = this.nextUint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** `low + range * nextDouble()` for every place of the array, in order; faster than call by call. */
  fill(values: Float64Array, low: number, range: number): void {
    const words = this.#words;
    let index = this.#index;
    for (let at = 0; at < values.length; at += 1) {
      if (index === N) {
        mix(words);
        index = 0;
      }
      const high = temper(words[index]!) >>> 5;
      index += 1;
      if (index === N) {
        mix(words);
        index = 0;
      }
      const rest = temper(words[index]!) >>> 6;
      index += 1;
      values[at] = low + range * ((high * 67108864 + rest) * 2 ** -53);
    }
    this.#index = index;
  }

  getState(): MersenneTwisterState {
    return { words: Array.from(this.#words, (word) => word >>> 0), index: this.#index };
  }

  /** @throws {InvalidStateError} `state` is not what `getState` returns. */
  setState(state: MersenneTwisterState): void {
    const { words, index } = (state ?? {}) as Partial<MersenneTwisterState>;
    const sound =
      Array.isArray(words) &&
      words.length === N &&
      words.every((word) => typeof word === 'number' && word >>> 0 === word) &&
      Number.isInteger(index) &&
      index! >= 0 &&
      index! <= N;
    if (!sound) throw new InvalidStateError(state, `{ words: ${N} unsigned 32-bit numbers, index: 0 to ${N} }`);
    this.#words.set(words);
    this.#index = index!;
  }
}
