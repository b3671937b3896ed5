/**
 * PCG64 (XSL-RR, 128-bit state): the bit source under NumPy's default generator.
 *
 * Rules follow `numpy/numpy`, `numpy/random/src/pcg64/`; `test/golden/numpy-rng.json` pins states and outputs. The
 * 128-bit numbers are four 32-bit limbs each, because BigInt is many times slower.
 */
import { InvalidStateError } from './errors.js';
import { SeedSequence } from './seed-sequence.js';
import { fromWords, multiplyHigh, toWords } from './words.js';

// multiplier 2549297995355413924 * 2^64 + 4865540595714422341, limbs from the least significant
const M0 = 0x9fccf645;
const M1 = 0x4385df64;
const M2 = 0x1fc65da4;
const M3 = 0x2360ed05;

const LOW = 8;
const HIGH = 9;

/** A PCG64 as JSON data, with the fields of NumPy's state. */
export interface Pcg64State {
  /** 128 bits as 32 lower-case hexadecimal digits. */
  readonly state: string;
  /** Odd, 128 bits as 32 lower-case hexadecimal digits; selects the stream. */
  readonly inc: string;
  /** True while the high half of an earlier 64-bit output is buffered in `uinteger`. */
  readonly hasUint32: boolean;
  readonly uinteger: number;
}

export class PCG64 {
  /** Limbs of the state (0 to 3), of the increment (4 to 7), of the last output (8 and 9). */
  readonly #limbs = new Uint32Array(10);
  #hasUint32 = false;
  #uinteger = 0;

  /** @throws {InvalidSeedError} The seed is negative, fractional or beyond the safe integers. */
  constructor(seed: number | bigint | SeedSequence) {
    const sequence = seed instanceof SeedSequence ? seed : new SeedSequence(seed);
    const w = sequence.generateState(8);
    const limbs = this.#limbs;
    // each 64-bit word comes low half first, the more significant 64-bit word before the less significant one;
    // inc = 2 * stream + 1
    limbs[4] = (w[6]! << 1) | 1;
    limbs[5] = (w[7]! << 1) | (w[6]! >>> 31);
    limbs[6] = (w[4]! << 1) | (w[7]! >>> 31);
    limbs[7] = (w[5]! << 1) | (w[4]! >>> 31);
    // the first step from state 0 leaves the increment; then the initial state is added
    let carry = 0;
    for (const [index, word] of [w[2]!, w[3]!, w[0]!, w[1]!].entries()) {
      const sum = limbs[4 + index]! + word + carry;
      limbs[index] = sum;
      carry = sum > 0xffffffff ? 1 : 0;
    }
    this.advance();
  }

  /** The halves of the last 64-bit output, each unsigned. */
  get high(): number {
    return this.#limbs[HIGH]!;
  }
  get low(): number {
    return this.#limbs[LOW]!;
  }

  /** One step; the 64 random bits are then in `high` and `low`. */
  advance(): void {
    const limbs = this.#limbs;
    const s0 = limbs[0]!;
    const s1 = limbs[1]!;
    const s2 = limbs[2]!;
    const s3 = limbs[3]!;

    // state * multiplier + inc, column by column; every column sum stays far below 2^53
    const r0 = (Math.imul(s0, M0) >>> 0) + limbs[4]!;
    const r1 =
      multiplyHigh(s0, M0) +
      (Math.imul(s0, M1) >>> 0) +
      (Math.imul(s1, M0) >>> 0) +
      limbs[5]! +
      (r0 > 0xffffffff ? 1 : 0);
    const r2 =
      multiplyHigh(s0, M1) +
      multiplyHigh(s1, M0) +
      (Math.imul(s0, M2) >>> 0) +
      (Math.imul(s1, M1) >>> 0) +
      (Math.imul(s2, M0) >>> 0) +
      limbs[6]! +
      Math.floor(r1 / 4294967296);
    const r3 =
      multiplyHigh(s0, M2) +
      multiplyHigh(s1, M1) +
      multiplyHigh(s2, M0) +
      (Math.imul(s0, M3) >>> 0) +
      (Math.imul(s1, M2) >>> 0) +
      (Math.imul(s2, M1) >>> 0) +
      (Math.imul(s3, M0) >>> 0) +
      limbs[7]! +
      Math.floor(r2 / 4294967296);

    const n0 = r0 >>> 0;
    const n1 = r1 >>> 0;
    const n2 = r2 >>> 0;
    const n3 = r3 >>> 0;
    limbs[0] = n0;
    limbs[1] = n1;
    limbs[2] = n2;
    limbs[3] = n3;

    // output: the two halves xored, rotated right by the top six bits
    const high = n3 ^ n1;
    const low = n2 ^ n0;
    const rotation = n3 >>> 26;
    const shift = rotation & 31;
    const a = rotation < 32 ? high : low;
    const b = rotation < 32 ? low : high;
    // a shift by 32 is a shift by 0 in JavaScript, so it is done in two steps
    limbs[HIGH] = (a >>> shift) | ((b << 1) << (31 - shift));
    limbs[LOW] = (b >>> shift) | ((a << 1) << (31 - shift));
  }

  /** 64 random bits; does not change the buffered half. */
  nextUint64(): bigint {
    this.advance();
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** 32 random bits: the low half of an output, the next time its high half. */
  nextUint32(): number {
    if (this.#hasUint32) {
      this.#hasUint32 = false;
      return this.#uinteger;
    }
    this.advance();
    this.#hasUint32 = true;
    this.#uinteger = this.high;
    return this.low;
  }

  /** A multiple of 2^-53 in [0, 1); does not change the buffered half. */
  nextDouble(): number {
    this.advance();
    return (this.high * 2097152 + (this.low >>> 11)) / 9007199254740992;
  }

  getState(): Pcg64State {
    return {
      state: toHex(this.#limbs.subarray(0, 4)),
      inc: toHex(this.#limbs.subarray(4, 8)),
      hasUint32: this.#hasUint32,
      uinteger: this.#uinteger,
    };
  }

  /** @throws {InvalidStateError} `state` is not what `getState` returns. */
  setState(state: Pcg64State): void {
    const { state: current, inc, hasUint32, uinteger } = checkState(state);
    this.#limbs.fill(0); // leading zero words are not written
    this.#limbs.set(toWords(BigInt(`0x${current}`)), 0);
    this.#limbs.set(toWords(BigInt(`0x${inc}`)), 4);
    this.#hasUint32 = hasUint32;
    this.#uinteger = uinteger;
  }
}

const HEX_128 = /^[0-9a-f]{32}$/;

function checkState(value: unknown): Pcg64State {
  const { state, inc, hasUint32, uinteger } = (value ?? {}) as Partial<Record<keyof Pcg64State, unknown>>;
  const sound =
    typeof state === 'string' &&
    HEX_128.test(state) &&
    typeof inc === 'string' &&
    HEX_128.test(inc) &&
    Number.parseInt(inc.slice(-1), 16) % 2 === 1 &&
    typeof hasUint32 === 'boolean' &&
    typeof uinteger === 'number' &&
    uinteger >>> 0 === uinteger;
  if (!sound) {
    throw new InvalidStateError(value, '{ state, inc (odd): 32 hexadecimal digits, hasUint32, uinteger: 32 bits }');
  }
  return { state, inc, hasUint32, uinteger };
}

function toHex(limbs: Uint32Array): string {
  return fromWords(limbs).toString(16).padStart(32, '0');
}
