import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from './line-reader.js';

const cut = (bytes: Buffer, places: readonly number[]) => {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
};

it('gives the same lines for every split of the bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 8 })), fc.array(fc.nat()), (texts, places) => {
      const lines = texts.map((text) => text.replaceAll('\n', ''));
      const reader = new LineReader(1000);
      const read = cut(Buffer.from(lines.map((line) => `${line}\n`).join('')), places).flatMap((c) => reader.push(c)!);
      expect(read).toEqual(lines);
    }),
  );
});

it('refuses a line that is too long, complete or not', () => {
  expect(new LineReader(3).push(Buffer.from('abc\nab'))).toEqual(['abc']);
  expect(new LineReader(3).push(Buffer.from('abcd\n'))).toBeUndefined();
  const reader = new LineReader(3);
  expect(reader.push(Buffer.from('ab'))).toEqual([]);
  expect(reader.push(Buffer.from('cd'))).toBeUndefined();
});
