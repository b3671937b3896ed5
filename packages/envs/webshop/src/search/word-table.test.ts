import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WordTable } from './word-table.js';

it('computes each word once, and gives the same number wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 300 }), (words) => {
      const computed: string[] = [];
      const table = new WordTable((word) => computed.push(word), 10_000);
      const text = words.join('');
      const numbers = new Map<string, number>();
      let start = 0;
      for (const word of words) {
        const number = table.valueAt(text, start, start + word.length);
        expect(number).toBe(numbers.get(word) ?? number);
        expect(computed[number - 1]).toBe(word);
        numbers.set(word, number);
        start += word.length;
      }
      expect(computed.length).toBe(numbers.size);
    }),
  );
});

it('continues without keeping words beyond its limit', () => {
  const computed: string[] = [];
  const table = new WordTable((word) => computed.push(word), 1);
  const values = ['a', 'b', 'a', 'b'].map((word) => table.valueAt(word, 0, 1));
  expect([values, computed]).toEqual([
    [1, 2, 1, 3],
    ['a', 'b', 'b'],
  ]);
});

it('grows with its words', () => {
  const table = new WordTable(Number, 100_000);
  for (const _ of [1, 2]) {
    for (let number = 0; number < 20_000; number += 1) {
      const word = String(number);
      if (table.valueAt(`x${word}`, 1, 1 + word.length) !== number) expect.fail(word);
    }
  }
});
