/**
 * Blocks of 32 entries with one scale, and the unquantized types. Layouts: `ggml-common.h` of ggml-org/ggml; every sum and
 * product is rounded to float32 in the order of `dequantize` in gguf-py. `golden-blocks.test.ts` compares them to the bit.
 */
import { float16Values } from './float16.js';

const ENTRIES = 32;
const { fround } = Math;

export function float32(input: Uint8Array, out: Float32Array): void {
  new Uint8Array(out.buffer, out.byteOffset, out.byteLength).set(input);
}

export function float16(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let index = 0; index < out.length; index += 1) out[index] = values[word(input, 2 * index)]!;
}

export function bfloat16(input: Uint8Array, out: Float32Array): void {
  const bits = new Uint32Array(out.buffer, out.byteOffset, out.length);
  for (let index = 0; index < bits.length; index += 1) bits[index] = word(input, 2 * index) << 16;
}

/** Scale, then 16 bytes of two entries each: four bits minus 8. */
export function q4With0(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 18, to += ENTRIES) {
    const scale = values[word(input, at)]!;
    for (let index = 0; index < 16; index += 1) {
      const pair = input[at + 2 + index]!;
      out[to + index] = scale * ((pair & 15) - 8);
      out[to + 16 + index] = scale * ((pair >> 4) - 8);
    }
  }
}

/** Scale and minimum, then 16 bytes of two entries each. */
export function q4With1(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 20, to += ENTRIES) {
    const scale = values[word(input, at)]!;
    const least = values[word(input, at + 2)]!;
    for (let index = 0; index < 16; index += 1) {
      const pair = input[at + 4 + index]!;
      out[to + index] = fround(scale * (pair & 15)) + least;
      out[to + 16 + index] = fround(scale * (pair >> 4)) + least;
    }
  }
}

/** Scale, 32 fifth bits, then 16 bytes of two entries each: five bits minus 16. */
export function q5With0(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 22, to += ENTRIES) {
    const scale = values[word(input, at)]!;
    const high = word(input, at + 2) | (word(input, at + 4) << 16);
    for (let index = 0; index < 16; index += 1) {
      const pair = input[at + 6 + index]!;
      out[to + index] = scale * (((pair & 15) | (((high >>> index) & 1) << 4)) - 16);
      out[to + 16 + index] = scale * (((pair >> 4) | (((high >>> (index + 16)) & 1) << 4)) - 16);
    }
  }
}

/** Scale and minimum, 32 fifth bits, then 16 bytes of two entries each. */
export function q5With1(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 24, to += ENTRIES) {
    const scale = values[word(input, at)]!;
    const least = values[word(input, at + 2)]!;
    const high = word(input, at + 4) | (word(input, at + 6) << 16);
    for (let index = 0; index < 16; index += 1) {
      const pair = input[at + 8 + index]!;
      const first = (pair & 15) | (((high >>> index) & 1) << 4);
      const second = (pair >> 4) | (((high >>> (index + 16)) & 1) << 4);
      out[to + index] = fround(scale * first) + least;
      out[to + 16 + index] = fround(scale * second) + least;
    }
  }
}

/** Scale, then 32 signed bytes. */
export function q8With0(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 34, to += ENTRIES) {
    const scale = values[word(input, at)]!;
    for (let index = 0; index < ENTRIES; index += 1) out[to + index] = scale * signed(input[at + 2 + index]!);
  }
}

/** Two bytes, little-endian. */
export const word = (input: Uint8Array, at: number): number => input[at]! | (input[at + 1]! << 8);
export const signed = (byte: number): number => (byte << 24) >> 24;
