import { expect, it } from 'vitest';
import { DrawnRows } from './index.js';

it('says which rows were drawn since the last look, within the picture', () => {
  const rows = new DrawnRows();
  rows.mark(3, 5);
  rows.mark(4, 9.5);
  expect(rows.take(20)).toEqual([3, 10]);
  expect(rows.take(20)).toEqual([0, 0]);
  rows.mark(-4, 2);
  expect(rows.take(20)).toEqual([0, 2]);
  rows.mark(18, 30);
  expect(rows.take(20)).toEqual([18, 20]);
});

it('has every row in question where nobody marks', () => {
  const rows = new DrawnRows();
  expect([rows.take(20), rows.take(20)]).toEqual([
    [0, 20],
    [0, 20],
  ]);
});
