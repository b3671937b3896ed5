/**
 * Whole numbers below a bound, by the four methods NumPy uses; the method decides how many bits are drawn.
 *
 * Rules follow `numpy/numpy`, `numpy/random/src/distributions/distributions.c` (Lemire's multiplication method,
 * arXiv 1805.10941, and masked rejection); `test/golden/numpy-rng.json` and `generators-fuzz.json` pin them.
 */
import type { PCG64 } from './pcg64.js';
import { multiplyHigh } from './words.js';

const TWO_32 = 4294967296;

/** An integer in [0, count), 1 <= count <= 2^53; a count of 1 draws nothing. */
export function below(bits: PCG64, count: number): number {
  if (count === 1) return 0;
  if (count < TWO_32) return below32(bits, count);
  if (count === TWO_32) return bits.nextUint32();
  return Number(below64(bits, BigInt(count)));
}

/** The same for 1 <= count <= 2^64. */
export function belowBig(bits: PCG64, count: bigint): bigint {
  return count <= 0x100000000n ? BigInt(below(bits, Number(count))) : below64(bits, count);
}

function below32(bits: PCG64, count: number): number {
  let word = bits.nextUint32();
  let leftover = Math.imul(word, count) >>> 0;
  if (leftover < count) {
    const threshold = (TWO_32 - count) % count;
    while (leftover < threshold) {
      word = bits.nextUint32();
      leftover = Math.imul(word, count) >>> 0;
    }
  }
  return multiplyHigh(word, count);
}

function below64(bits: PCG64, count: bigint): bigint {
  if (count === 1n << 64n) return bits.nextUint64();
  let product = bits.nextUint64() * count;
  let leftover = BigInt.asUintN(64, product);
  if (leftover < count) {
    const threshold = ((1n << 64n) - count) % count;
    while (leftover < threshold) {
      product = bits.nextUint64() * count;
      leftover = BigInt.asUintN(64, product);
    }
  }
  return product >> 64n;
}

/**
 * Draws of 1, 8 or 16 bits, as for an array of such a dtype: 32-bit words cut into pieces from the low end.
 * Unused pieces are discarded with this object.
 */
export class Pieces {
  readonly #bits: PCG64;
  readonly #width: number;
  #word = 0;
  #left = 0;

  constructor(bits: PCG64, width: 1 | 8 | 16) {
    this.#bits = bits;
    this.#width = width;
  }

  /** An integer in [0, count), 1 <= count <= 2^width; a count of 1 draws nothing. */
  below(count: number): number {
    if (count === 1) return 0;
    const size = 2 ** this.#width;
    if (count === size) return this.#next();
    const threshold = (size - count) % count;
    let product = this.#next() * count;
    while (product % size < threshold) product = this.#next() * count;
    return Math.floor(product / size);
  }

  #next(): number {
    if (this.#left === 0) {
      this.#word = this.#bits.nextUint32();
      this.#left = 32;
    } else {
      this.#word >>>= this.#width;
    }
    this.#left -= this.#width;
    return this.#word & (2 ** this.#width - 1);
  }
}

/** Unsigned 32-bit words. */
interface Words {
  nextUint32(): number;
}

/** An integer in [0, last], 0 <= last < 2^32, by masked rejection, as `shuffle` does. */
export function maskedUpTo(bits: Words, last: number): number {
  if (last === 0) return 0;
  const mask = 0xffffffff >>> Math.clz32(last);
  let value = (bits.nextUint32() & mask) >>> 0;
  while (value > last) value = (bits.nextUint32() & mask) >>> 0;
  return value;
}
