import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapMean } from './bootstrap.js';
import { mcnemarExact, pairedComparison } from './paired-comparison.js';
import { wilsonInterval } from './wilson.js';

describe('wilsonInterval', () => {
  it.each([
    // successes, n, low, high: Newcombe, "Two-sided confidence intervals for the single proportion" (1998), method 3
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('agrees with published values: %i of %i', (successes, n, low, high) => {
    const interval = wilsonInterval(successes, n);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });

  it('knows nothing from nothing', () => {
    expect(wilsonInterval(0, 0)).toEqual([0, 1]);
  });

  it('holds the share, mirrors failures, and narrows with more trials', () => {
    const counts = fc
      .integer({ min: 1, max: 500 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([successes, n]) => {
        const [low, high] = wilsonInterval(successes, n);
        expect(0 <= low && low <= successes / n && successes / n <= high && high <= 1).toBe(true);
        const [mirrorLow, mirrorHigh] = wilsonInterval(n - successes, n);
        expect(mirrorLow).toBeCloseTo(1 - high, 12);
        expect(mirrorHigh).toBeCloseTo(1 - low, 12);
        const [wideLow, wideHigh] = wilsonInterval(4 * successes, 4 * n);
        expect(wideHigh - wideLow).toBeLessThan(high - low);
      }),
    );
  });

  it.each([
    [-1, 5],
    [6, 5],
    [0.5, 5],
    [0, -1],
    [0, Number.NaN],
  ])('refuses %d of %d', (successes, n) => {
    expect(() => wilsonInterval(successes, n)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

const rows = (successes: readonly boolean[]) => successes.map((success, seed) => ({ seed, success }));

describe('pairedComparison', () => {
  it('agrees with the published example 36, 12, 2, 0', () => {
    // Newcombe, "Improved confidence intervals for the difference ... paired data" (1998), table II, method 10
    const first = [...Array(48).fill(true), ...Array(2).fill(false)];
    const second = [...Array(36).fill(true), ...Array(12).fill(false), ...Array(2).fill(true)];
    const result = pairedComparison(rows(first), rows(second));
    expect(result).toMatchObject({
      pairs: 50,
      bothSucceed: 36,
      onlyFirst: 12,
      onlySecond: 2,
      neither: 0,
      difference: 0.2,
    });
    expect(result.interval95[0]).toBeCloseTo(0.0569, 4);
    expect(result.interval95[1]).toBeCloseTo(0.3404, 4);
    expect(result.pValue).toBeCloseTo(0.01294, 5); // 2 (1 + 14 + 91) / 2^14
  });

  it('compares common seeds only', () => {
    const result = pairedComparison(
      [
        { seed: 1, success: true },
        { seed: 2, success: true },
      ],
      [
        { seed: 2, success: false },
        { seed: 3, success: true },
      ],
    );
    expect(result).toMatchObject({ pairs: 1, onlyFirst: 1, pValue: 1 });
  });

  it('passes over episodes that do not count', () => {
    const failed = { seed: 1, success: false, counted: false };
    expect(pairedComparison([...rows([true]), failed], rows([true, true]))).toMatchObject({ pairs: 1, bothSucceed: 1 });
  });

  it('gives the opposite answer when the agents change places', () => {
    const outcomes = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(outcomes, (pairs) => {
        const [a, b] = [rows(pairs.map(([x]) => x)), rows(pairs.map(([, y]) => y))];
        const [there, back] = [pairedComparison(a, b), pairedComparison(b, a)];
        expect(back.difference).toBeCloseTo(-there.difference, 12);
        expect(back.interval95[0]).toBeCloseTo(-there.interval95[1], 10);
        expect(back.pValue).toBe(there.pValue);
        expect(there.interval95[0] <= there.difference + 1e-12).toBe(true);
        expect(there.interval95[1] >= there.difference - 1e-12).toBe(true);
      }),
    );
  });

  it('refuses agents that share no seed, and seeds that occur twice', () => {
    expect(() => pairedComparison(rows([true]), [{ seed: 9, success: true }])).toThrow(/share seeds/);
    expect(() => pairedComparison(rows([true]), [...rows([true]), ...rows([true])])).toThrow(/each seed once/);
  });
});

describe('mcnemarExact', () => {
  it.each([
    [0, 0, 1],
    [5, 5, 1],
    [0, 6, 2 / 64],
    [1, 9, (2 * 11) / 1024],
  ])('is the binomial tail: %i against %i', (b, c, p) => {
    expect(mcnemarExact(b, c)).toBeCloseTo(p, 12);
    expect(mcnemarExact(c, b)).toBeCloseTo(p, 12);
  });

  it('survives thousands of pairs', () => {
    // 2 * sum of C(6000, k) for k <= 2900 over 2^6000, computed with exact fractions
    expect(mcnemarExact(2900, 3100)).toBeCloseTo(0.010191041523412898, 12);
  });
});

describe('bootstrapMean', () => {
  it('is the same for the same seed and another for another', () => {
    const values = [0, 1, 1, 5, -2];
    const mean = (seed: number) => bootstrapMean(values, { seed, resamples: 30 });
    expect(mean(3)).toEqual(mean(3));
    expect(mean(3)).not.toEqual(mean(4));
  });

  it('comes near the normal interval for many values', () => {
    const values = Array.from({ length: 400 }, (_, index) => index % 2);
    const { mean, interval } = bootstrapMean(values);
    expect(mean).toBe(0.5);
    expect(interval[0]).toBeCloseTo(0.5 - (1.96 * 0.5) / 20, 2);
    expect(interval[1]).toBeCloseTo(0.5 + (1.96 * 0.5) / 20, 2);
  });

  it('knows one value exactly', () => {
    expect(bootstrapMean([7])).toEqual({ mean: 7, interval: [7, 7] });
  });

  it.each([[[]], [[1, Number.NaN]]])('refuses %j', (values) => {
    expect(() => bootstrapMean(values)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});
