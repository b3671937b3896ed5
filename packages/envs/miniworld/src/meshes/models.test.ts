import { expect, it } from 'vitest';
import { meshModel } from './models.js';

it('the building is L-shaped from above, with the same open corner as in the original', () => {
  const covers = (x: number, z: number) =>
    meshModel('building')!.parts.some(({ at, scale }) => {
      return Math.abs(x - at![0]) < scale![0] && Math.abs(z - at![2]) < scale![2];
    });
  expect(covers(0.6, 0.1)).toBe(false);
  expect(covers(-1.8, 1.2)).toBe(false);
  for (const [x, z] of [
    [-1.8, -1.2],
    [-1.8, -0.1],
    [1.8, -1.2],
    [0.7, 1.2],
    [1.8, 1.2],
  ] as const) {
    expect(covers(x, z)).toBe(true);
  }
});
