/** Blocks become float32 as in gguf-py, to the bit. Golden data: `test/golden/make-gguf.py`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { float16Values, toBfloat16, toFloat16 } from './float16.js';
import { quantization, supportedQuantizations } from './quantization.js';

interface Case {
  readonly type: string;
  readonly number: number;
  readonly blocks: string;
  readonly entries: number;
  readonly sha256: string;
}
const golden = new URL('../../../../test/golden/gguf/blocks.json', import.meta.url);
const cases: readonly Case[] = JSON.parse(readFileSync(golden, 'utf8'));

/** NaN has one pattern, as in the script. */
function digest(values: Float32Array): string {
  const bits = new Uint32Array(values.buffer).map((each, index) => (Number.isNaN(values[index]) ? 0x7fc00000 : each));
  return createHash('sha256').update(bits).digest('hex');
}

describe('a block of random bytes, with zeros, subnormals, infinities and NaN as scales', () => {
  it.each(cases)('of $type has the values of gguf-py', ({ type, number, blocks, entries, sha256 }) => {
    const known = quantization(number);
    if (typeof known === 'string') throw new Error(known);
    expect(known.name).toBe(type);
    const bytes = Uint8Array.from(Buffer.from(blocks, 'base64'));
    expect((bytes.length / known.blockBytes) * known.blockEntries).toBe(entries);
    const values = new Float32Array(entries);
    known.dequantize(bytes, values);
    expect(digest(values)).toBe(sha256);
  });

  it('is pinned for every type that is read', () => {
    expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(supportedQuantizations));
  });
});

describe('rounding to 16 bits', () => {
  const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;

  it('keeps every finite float16, and every finite bfloat16', () => {
    const values = float16Values();
    const all = Array.from({ length: 2 ** 16 }, (_, bits) => bits);
    const halves = all.filter((bits) => Number.isFinite(values[bits]));
    expect(halves.filter((bits) => toFloat16(bitsOf(values[bits]!)) !== bits)).toEqual([]);
    const brains = all.filter((bits) => (bits & 0x7f80) !== 0x7f80);
    expect(brains.filter((bits) => toBfloat16((bits << 16) >>> 0) !== bits)).toEqual([]);
  });

  it.each([
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 ** -25, 0x0000],
    [3 * 2 ** -26, 0x0001],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [-1e9, 0xfc00],
  ])('takes the nearest float16 of %f, the even one of two', (value, bits) => {
    expect(toFloat16(bitsOf(value))).toBe(bits);
  });

  it.each([
    [1 + 2 ** -8, 0x3f80],
    [1 + 3 * 2 ** -8, 0x3f82],
    [3.4028234e38, 0x7f80],
  ])('takes the nearest bfloat16 of %f, the even one of two', (value, bits) => {
    expect(toBfloat16(bitsOf(value))).toBe(bits);
  });
});
