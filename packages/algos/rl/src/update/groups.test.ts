import { expect, it } from 'vitest';
import { groupsWithin } from './groups.js';

const sequence = (prompt: number, response: number) => ({
  input: { promptIds: new Int32Array(prompt), images: [] },
  responseIds: new Int32Array(response),
});
const sizes = [
  [1, 1],
  [2, 1],
  [1, 3],
  [9, 9],
  [9, 9],
].map(([prompt, response]) => sequence(prompt!, response!));
const lengths = (limits: Parameters<typeof groupsWithin>[2]) =>
  groupsWithin(sizes, (item) => item, limits).map((group) => group.length);

it('groups hold at most the rows asked for', () => {
  expect(lengths({ rows: 2 })).toEqual([2, 2, 1]);
  expect(lengths({ rows: 8 })).toEqual([5]);
});

it('groups hold at most the tokens asked for, padding included, but at least one row', () => {
  // three rows are as wide as the widest prompt and the widest response: 2 + 3
  expect(lengths({ rows: 8, tokens: 15 })).toEqual([3, 1, 1]);
  expect(lengths({ rows: 8, tokens: 14 })).toEqual([2, 1, 1, 1]);
  expect(lengths({ rows: 8, tokens: 36 })).toEqual([3, 2]);
  expect(lengths({ rows: 8, tokens: 1 })).toEqual([1, 1, 1, 1, 1]);
});
