/**
 * Blocks of 256 entries, with a scale for 16 or 32 of them in a few bits. Layouts: `ggml-common.h` of ggml-org/ggml;
 * products are rounded to float32 in the order of `dequantize` in gguf-py. `golden-blocks.test.ts` compares them to the bit.
 */
import { signed, word } from './blocks.js';
import { float16Values } from './float16.js';

const ENTRIES = 256;
const { fround } = Math;

/** 16 bytes of scale and minimum, 64 bytes of four entries each, the scale of scales, the scale of minimums. */
export function q2K(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 84, to += ENTRIES) {
    const scale = values[word(input, at + 80)]!;
    const leastScale = values[word(input, at + 82)]!;
    for (let part = 0; part < 16; part += 1) {
      const packed = input[at + part]!;
      const by = fround(scale * (packed & 15));
      const least = fround(leastScale * (packed >> 4));
      for (let entry = 16 * part; entry < 16 * part + 16; entry += 1) {
        out[to + entry] = fround(by * twoBits(input, at + 16, entry)) - least;
      }
    }
  }
}

/** 32 bytes of third bits, 64 bytes of four entries each, 12 bytes of scales, the scale of scales. */
export function q3K(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 110, to += ENTRIES) {
    const scale = values[word(input, at + 108)]!;
    for (let part = 0; part < 16; part += 1) {
      const low = part < 8 ? input[at + 96 + part]! & 15 : input[at + 96 + part - 8]! >> 4;
      const high = (input[at + 104 + (part & 3)]! >> (2 * (part >> 2))) & 3;
      const by = fround(scale * ((low | (high << 4)) - 32));
      for (let entry = 16 * part; entry < 16 * part + 16; entry += 1) {
        const third = (input[at + (entry & 31)]! >> (entry >> 5)) & 1;
        out[to + entry] = by * (twoBits(input, at + 32, entry) - (third ? 0 : 4));
      }
    }
  }
}

/** Both scales, 12 bytes of scales and minimums, 128 bytes of two entries each. */
export function q4K(input: Uint8Array, out: Float32Array): void {
  for (let at = 0, to = 0; to < out.length; at += 144, to += ENTRIES) {
    withMinimums(input, at, (part, by, least) => {
      for (let entry = 32 * part; entry < 32 * part + 32; entry += 1) {
        out[to + entry] = fround(by * fourBits(input, at + 16, entry)) - least;
      }
    });
  }
}

/** Both scales, 12 bytes of scales and minimums, 32 bytes of fifth bits, 128 bytes of two entries each. */
export function q5K(input: Uint8Array, out: Float32Array): void {
  for (let at = 0, to = 0; to < out.length; at += 176, to += ENTRIES) {
    withMinimums(input, at, (part, by, least) => {
      for (let entry = 32 * part; entry < 32 * part + 32; entry += 1) {
        const fifth = (input[at + 16 + (entry & 31)]! >> part) & 1;
        out[to + entry] = fround(by * (fourBits(input, at + 48, entry) | (fifth << 4))) - least;
      }
    });
  }
}

/** 128 bytes of two entries each, 64 bytes with the next two bits of four, 16 signed scales, the scale of scales. */
export function q6K(input: Uint8Array, out: Float32Array): void {
  const values = float16Values();
  for (let at = 0, to = 0; to < out.length; at += 210, to += ENTRIES) {
    const scale = values[word(input, at + 208)]!;
    for (let part = 0; part < 16; part += 1) {
      const by = fround(scale * signed(input[at + 192 + part]!));
      for (let entry = 16 * part; entry < 16 * part + 16; entry += 1) {
        const low = (input[at + 64 * (entry >> 7) + (entry & 63)]! >> (4 * ((entry >> 6) & 1))) & 15;
        out[to + entry] = by * ((low | (twoBits(input, at + 128, entry) << 4)) - 32);
      }
    }
  }
}

/** Each 32 bytes hold 128 entries: the lowest bits of all first. */
const twoBits = (input: Uint8Array, at: number, entry: number): number =>
  (input[at + 32 * (entry >> 7) + (entry & 31)]! >> (2 * ((entry >> 5) & 3))) & 3;

/** Each 32 bytes hold 64 entries: the lower halves of all first. */
const fourBits = (input: Uint8Array, at: number, entry: number): number =>
  (input[at + 32 * (entry >> 6) + (entry & 31)]! >> (4 * ((entry >> 5) & 1))) & 15;

/** Scale and minimum of each 32 entries, six bits each: the later four take their upper two bits from the earlier ones. */
function withMinimums(input: Uint8Array, at: number, use: (part: number, by: number, least: number) => void): void {
  const values = float16Values();
  const scale = values[word(input, at)]!;
  const leastScale = values[word(input, at + 2)]!;
  for (let part = 0; part < 8; part += 1) {
    const first = input[at + 4 + (part & 3)]!;
    const second = input[at + 8 + (part & 3)]!;
    const both = input[at + 12 + (part & 3)]!;
    const by = part < 4 ? first & 63 : (both & 15) | ((first >> 2) & 48);
    const least = part < 4 ? second & 63 : (both >> 4) | ((second >> 2) & 48);
    use(part, fround(scale * by), fround(leastScale * least));
  }
}
