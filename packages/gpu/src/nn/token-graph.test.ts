/** Decoding steps that always read and write the same memory, as a graph of CUDA does, against steps that read what is filled. */
import { afterEach, describe, expect, it } from 'vitest';
import { cat, full, type Tensor, tensor, tidy } from '../index.js';
import { native } from '../native/load.js';
import { decoder, GROUPS, numbers, WIDTH } from './decoder.test-helper.js';

const ROWS = 3;
const [FILLED, STEPS, CAPACITY] = [5, 4, 16];

/** Scores of tokens read one after the other behind a filled cache whose other columns are not numbers. */
function decoded(isMasked: boolean): number[][] {
  return tidy(() => {
    using made = decoder('float64');
    const entries = [4, 5, 6, 7].map((seed) => {
      const rest = full([ROWS, GROUPS, CAPACITY - FILLED, WIDTH], Number.NaN, { dtype: 'float64' });
      return cat([numbers(seed, 'float64', ROWS, GROUPS, FILLED, WIDTH), rest], 2);
    });
    const [keys, values] = [entries.slice(0, 2), entries.slice(2)];
    return Array.from({ length: STEPS }, (_, step) => {
      const length = FILLED + step;
      const angles = numbers(20 + step, 'float64', ROWS, 1, 1, WIDTH);
      const context = { cos: angles.cos(), sin: angles.sin(), mask: isMasked ? mask(length + 1) : null };
      const ids = tensor(
        Int32Array.from({ length: ROWS }, (_, row) => (row + step) % ROWS),
        { dtype: 'int64' },
      );
      return made.scores(ids, { ...context, cache: { keys, values, length } }).toNumbers();
    });
  });
}

/** Row i does not see its first i columns. */
function mask(columns: number): Tensor {
  const hidden = (place: number) => place % columns < Math.floor(place / columns);
  const entries = Array.from({ length: ROWS * columns }, (_, i) => (hidden(i) ? Number.NEGATIVE_INFINITY : 0));
  return tensor(entries, { shape: [ROWS, 1, 1, columns], dtype: 'float64' });
}

afterEach(() => native().useGraphs(true, false));

describe.each([
  ['without a mask', false],
  ['with columns that a mask hides', true],
])('steps on fixed memory, %s', (_, isMasked) => {
  it('have the scores of steps that read what is filled', () => {
    const expected = decoded(isMasked);
    native().useGraphs(true, true);
    const found = decoded(isMasked);
    for (const [step, scores] of expected.entries()) {
      for (const [i, score] of scores.entries()) expect(Math.abs(found[step]![i]! - score)).toBeLessThan(1e-12);
    }
  });
});

it('a full cache is refused before anything is written', () => {
  native().useGraphs(true, true);
  tidy(() => {
    using made = decoder('float64');
    const entries = [4, 5].map((seed) => numbers(seed, 'float64', ROWS, GROUPS, FILLED, WIDTH));
    const angles = numbers(3, 'float64', 1, 1, 1, WIDTH);
    const cache = { keys: entries, values: entries, length: FILLED };
    const ids = tensor([0, 1, 2], { dtype: 'int64' });
    expect(() => made.scores(ids, { cos: angles, sin: angles, mask: null, cache })).toThrow(/the cache is full/);
  });
});
