/** Whole numbers in base 2^32, and the high half of their products, which `Math.imul` does not give. */

const WORD = 0xffffffffn;

/** Splits a non-negative integer into 32-bit words, least significant first; 0 gives one word 0. */
export function toWords(value: number | bigint): number[] {
  if (typeof value === 'number') {
    return value <= 0xffffffff ? [value] : [value >>> 0, Math.floor(value / 2 ** 32)];
  }
  const words: number[] = [];
  let rest = value;
  do {
    words.push(Number(rest & WORD));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

/** The inverse of `toWords` on any words. */
export function fromWords(words: ArrayLike<number>): bigint {
  let value = 0n;
  for (let index = words.length - 1; index >= 0; index -= 1) value = (value << 32n) | BigInt(words[index]! >>> 0);
  return value;
}

/** High 32 bits of the 64-bit product of two unsigned 32-bit numbers, as an unsigned number. */
export function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) >>> 0) + (Math.imul(aLow, bLow) >>> 16);
  const other = (Math.imul(aLow, bHigh) >>> 0) + (middle & 0xffff);
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16)) >>> 0;
}
