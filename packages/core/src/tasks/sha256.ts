/**
 * SHA-256 (FIPS 180-4) of short texts, synchronous and without Node's modules: environments also run in browsers, where
 * `crypto.subtle` is asynchronous. `tasks.test.ts` compares it with Node's.
 */

/** First 32 bits of the fractional parts of the square roots of the first 8 primes, and the cube roots of 64. */
const PRIMES = firstPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** @returns  The eight 32-bit words of the digest of the UTF-8 bytes. */
export function sha256(text: string): Uint32Array {
  const message = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < message.byteLength; offset += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = message.getUint32(offset + 4 * index);
    for (let index = 16; index < 64; index += 1) {
      const early = words[index - 15]!;
      const late = words[index - 2]!;
      const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = words[index - 16]! + mixedEarly + words[index - 7]! + mixedLate;
    }
    compress(state, words);
  }
  return state;
}

/** The names a to h are those of the standard. */
function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sumE + ((e & f) ^ (~e & g)) + ROUND[index]! + words[index]!) | 0;
    const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + word;
}

/** A one bit, zeros, and the length in bits, up to a multiple of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setBigUint64(message.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
