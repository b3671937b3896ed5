import { describe, expect, it } from 'vitest';
import { Scaler } from './archer-critic.js';

describe('Scaler', () => {
  it('takes inputs relative to mean and spread of the first buffer', () => {
    const scaler = Scaler.of([
      [1, 10],
      [3, 30],
    ]);
    expect(Array.from(scaler.apply([3, 10]))).toEqual([expect.closeTo(1, 5), expect.closeTo(-1, 5)]);
  });

  it('does not scale up a dimension that hardly varied in it', () => {
    const scaler = Scaler.of([
      [1, 5],
      [2, 5],
    ]);
    const [, constant] = scaler.apply([1, 6]);
    expect(constant).toBeGreaterThan(1);
    expect(constant).toBeLessThan(1e3);
  });
});
