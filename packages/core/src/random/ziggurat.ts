/**
 * Standard normal and exponential numbers by the ziggurat method, draw for draw as in NumPy.
 *
 * Rules follow `numpy/numpy`, `numpy/random/src/distributions/distributions.c`; `test/golden/numpy-rng.json` pins
 * values and the order of draws. A 64-bit output is read as two halves, because its fields have up to 53 bits.
 */
import type { PCG64 } from './pcg64.js';
import { FE, FI, KE, KI, WE, WI } from './ziggurat-tables.generated.js';

/** The start of the tail of the normal ziggurat, and its inverse. */
const NORMAL_TAIL = 3.654152885361009;
const NORMAL_TAIL_INVERSE = 0.2736612373297583;
const EXPONENTIAL_TAIL = 7.69711747013105;

export function standardNormal(bits: PCG64): number {
  for (;;) {
    bits.advance();
    const { high, low } = bits;
    const strip = low & 0xff;
    // bit 8 is the sign, bits 9 to 60 the magnitude
    const magnitude = (high & 0x1fffffff) * 8388608 + (low >>> 9);
    const x = (low & 0x100 ? -magnitude : magnitude) * WI[strip]!;
    if (magnitude < KI[strip]!) return x;
    if (strip === 0) {
      const tail = NORMAL_TAIL + normalTail(bits);
      return low & 0x20000 ? -tail : tail;
    }
    if ((FI[strip - 1]! - FI[strip]!) * bits.nextDouble() + FI[strip]! < Math.exp(-0.5 * x * x)) return x;
  }
}

function normalTail(bits: PCG64): number {
  for (;;) {
    const x = -NORMAL_TAIL_INVERSE * Math.log1p(-bits.nextDouble());
    const y = -Math.log1p(-bits.nextDouble());
    if (y + y > x * x) return x;
  }
}

export function standardExponential(bits: PCG64): number {
  for (;;) {
    bits.advance();
    const { high, low } = bits;
    // the lowest three bits are dropped
    const strip = (low >>> 3) & 0xff;
    const magnitude = high * 2097152 + (low >>> 11);
    const x = magnitude * WE[strip]!;
    if (magnitude < KE[strip]!) return x;
    if (strip === 0) return EXPONENTIAL_TAIL - Math.log1p(-bits.nextDouble());
    if ((FE[strip - 1]! - FE[strip]!) * bits.nextDouble() + FE[strip]! < Math.exp(-x)) return x;
  }
}
