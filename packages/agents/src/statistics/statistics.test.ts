import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapMean } from './bootstrap.js';
import { mcnemarExact, pairedComparison, signFlipPValue } from './paired-comparison.js';
import { studentPValue, studentQuantile } from './student.js';
import { exactInterval, successRate, trainedSuccessRate } from './success-rate.js';
import { trainingComparison } from './training-comparison.js';
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

  it('gives [0, 1] without data', () => {
    expect(wilsonInterval(0, 0)).toEqual([0, 1]);
  });

  it('contains the proportion, mirrors failures, and narrows with more trials', () => {
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
const keyed = (outcomes: readonly (readonly [taskKey: string, success: boolean])[]) =>
  outcomes.map(([taskKey, success], seed) => ({ seed, taskKey, success }));

describe('Student and beta', () => {
  it.each([
    // two-sided 5 % points of published tables
    [1, 12.7062],
    [4, 2.7764],
    [30, 2.0423],
    [1e6, 1.96],
  ])('agrees with tables: t of %d degrees of freedom is %d', (df, t) => {
    expect(studentQuantile(0.05, df)).toBeCloseTo(t, 3);
    expect(studentPValue(studentQuantile(0.05, df), df)).toBeCloseTo(0.05, 9);
  });

  it.each([
    // Clopper and Pearson: 95 % intervals of 10 of 100 and 0 of 10
    [0.1, 100, 0.0490047, 0.1762226],
    [0, 10, 0, 0.3084971],
    [1, 20, 0.8315665, 1],
  ])('gives the exact interval of a share of %d in %d trials', (rate, trials, low, high) => {
    const interval = exactInterval(rate, trials);
    expect(interval[0]).toBeCloseTo(low, 6);
    expect(interval[1]).toBeCloseTo(high, 6);
  });
});

describe('successRate', () => {
  it('is the exact binomial interval where every task is played once', () => {
    const outcomes = Array.from({ length: 100 }, (_, index) => [String(index), index < 10] as const);
    const { rate, interval95, tasks, tasksBy, covers } = successRate(keyed(outcomes));
    expect({ rate, tasks, tasksBy, covers }).toEqual({ rate: 0.1, tasks: 100, tasksBy: 'taskKey', covers: 'tasks' });
    expect(interval95[0]).toBeCloseTo(0.0490047, 4);
    expect(interval95[1]).toBeCloseTo(0.1762226, 4);
  });

  it('does not count two hundred repeats of seven hands as two hundred hands', () => {
    const once = Array.from({ length: 7 }, (_, hand) => [`hand ${hand}`, hand !== 0] as const);
    const often = Array.from({ length: 30 }, () => once).flat();
    const [few, many] = [successRate(keyed(once)), successRate(keyed(often))];
    expect(many.tasks).toBe(7);
    expect(many.interval95[0]).toBeCloseTo(few.interval95[0], 9);
    expect(many.interval95[1]).toBeCloseTo(few.interval95[1], 9);
    expect(many.interval95[1] - many.interval95[0]).toBeGreaterThan(0.5);
  });

  it.each([0, 1])('has a wide interval at a rate of %d on few tasks', (rate) => {
    const { interval95 } = successRate(
      keyed(Array.from({ length: 60 }, (_, i) => [`hand ${i % 6}`, rate === 1] as const)),
    );
    expect(interval95[1] - interval95[0]).toBeCloseTo(0.4593, 3); // exact interval of 0 of 6
  });

  it('counts seeds if there are no content keys, and reports it', () => {
    expect(successRate(rows([true, false, true]))).toMatchObject({ tasks: 3, tasksBy: 'seed' });
  });

  it('gives no rate and [0, 1] without data', () => {
    expect(successRate([])).toMatchObject({ rate: Number.NaN, interval95: [0, 1], tasks: 0 });
  });

  it('contains the rate, and stays between 0 and 1', () => {
    const outcome = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.boolean());
    fc.assert(
      fc.property(
        fc.array(fc.array(outcome, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
        (runs) => {
          const common = runs.map((run, seed) => ({ seed, episodes: keyed([...run, ['a', true]]) }));
          const { rate, interval95 } = trainedSuccessRate([common]);
          expect(0 <= interval95[0] && interval95[0] <= rate && rate <= interval95[1] && interval95[1] <= 1).toBe(true);
        },
      ),
    );
  });
});

describe('pairedComparison', () => {
  it('is McNemar’s exact test where every task occurs once', () => {
    // the table 36, 12, 2, 0 of Newcombe, "Improved confidence intervals for the difference ... paired data" (1998)
    const first = [...Array(48).fill(true), ...Array(2).fill(false)];
    const second = [...Array(36).fill(true), ...Array(12).fill(false), ...Array(2).fill(true)];
    const result = pairedComparison(rows(first), rows(second));
    expect(result).toMatchObject({
      pairs: 50,
      tasks: 50,
      tasksBy: 'seed',
      bothSucceed: 36,
      onlyFirst: 12,
      onlySecond: 2,
      neither: 0,
      difference: 0.2,
    });
    // near Newcombe's 0.0569 and 0.3404
    expect(result.interval95[0]).toBeCloseTo(0.05, 1);
    expect(result.interval95[1]).toBeCloseTo(0.34, 1);
    expect(result.pValue).toBeCloseTo(0.01294, 5); // 2 (1 + 14 + 91) / 2^14
  });

  it('gains no evidence from repeats of one task', () => {
    const repeated = (success: boolean) => keyed(Array.from({ length: 50 }, () => ['the same hand', success] as const));
    const { tasks, pValue, interval95 } = pairedComparison(repeated(true), repeated(false));
    expect(tasks).toBe(1);
    expect(pValue).toBe(1);
    expect(interval95[0]).toBeLessThan(0);
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

  it('skips episodes that do not count', () => {
    const failed = { seed: 1, success: false, counted: false };
    expect(pairedComparison([...rows([true]), failed], rows([true, true]))).toMatchObject({ pairs: 1, bothSucceed: 1 });
  });

  it('gives the opposite answer when the agents change places', () => {
    const outcomes = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean(), fc.boolean()), {
      minLength: 1,
      maxLength: 80,
    });
    fc.assert(
      fc.property(outcomes, (pairs) => {
        const a = keyed(pairs.map(([key, x]) => [String(key), x]));
        const b = keyed(pairs.map(([key, , y]) => [String(key), y]));
        const [there, back] = [pairedComparison(a, b), pairedComparison(b, a)];
        expect(back.difference).toBeCloseTo(-there.difference, 12);
        expect(back.interval95[0]).toBeCloseTo(-there.interval95[1], 10);
        expect(back.pValue).toBeCloseTo(there.pValue, 12);
        expect(there.interval95[0] <= there.difference + 1e-12).toBe(true);
        expect(there.interval95[1] >= there.difference - 1e-12).toBe(true);
      }),
    );
  });

  it('refuses agents without a common seed, seeds that occur twice, and seeds with two different tasks', () => {
    expect(() => pairedComparison(rows([true]), [{ seed: 9, success: true }])).toThrow(/share seeds/);
    expect(() => pairedComparison(rows([true]), [...rows([true]), ...rows([true])])).toThrow(
      /each attempt at a seed once/,
    );
    expect(() => pairedComparison(keyed([['a', true]]), keyed([['b', true]]))).toThrow(/the task of the first/);
  });
});

describe('signFlipPValue', () => {
  it.each([
    [[], 1],
    [[3], 1],
    [[2, 1], 0.5], // |±2 ± 1| reaches 3 in two of four
    [[2, 2, 2], 0.25],
    [[1, 1, 1, 1, 1, 1], 2 / 64],
  ])('counts the sign vectors with at least that sum: %j', (differences, p) => {
    expect(signFlipPValue(differences)).toBeCloseTo(p, 12);
  });
});

describe('trainingComparison', () => {
  const run = (seed: number, solved: (hand: number) => boolean) => ({
    seed,
    episodes: Array.from({ length: 30 }, (_, hand) => ({ seed: hand, taskKey: String(hand), success: solved(hand) })),
  });
  const runs = (count: number, solved: (hand: number, seed: number) => boolean) =>
    Array.from({ length: count }, (_, seed) => run(seed, (hand) => solved(hand, seed)));

  it('finds no difference between equal algorithms, and does not claim that they are exactly equal', () => {
    const pair = { first: runs(5, () => true), second: runs(5, () => true) };
    const { difference, interval95, pValue, verdict, tasks, seeds } = trainingComparison([pair]);
    expect({ difference, pValue, verdict, tasks, seeds }).toEqual({
      difference: 0,
      pValue: 1,
      verdict: 'cannot tell',
      tasks: 30,
      seeds: 5,
    });
    expect(interval95[1]).toBeGreaterThan(0.03);
  });

  it('does not let one lucky training seed out of three decide', () => {
    const pair = { first: runs(3, (_, seed) => seed === 0), second: runs(3, () => false) };
    expect(trainingComparison([pair]).verdict).toBe('cannot tell');
  });

  it('uses common training seeds, and the mean over environments', () => {
    const better = { first: runs(4, () => true), second: runs(3, () => false) };
    const equal = { first: runs(3, () => true), second: runs(3, () => true) };
    expect(trainingComparison([better])).toMatchObject({ difference: 1, seeds: 3, verdict: 'higher' });
    expect(trainingComparison([better, equal])).toMatchObject({
      difference: 0.5,
      tasks: 60,
      covers: 'tasks and training',
    });
    expect(() => trainingComparison([{ first: [run(7, () => true)], second: equal.second }])).toThrow(
      /share training seeds/,
    );
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
  it('is deterministic, and differs between seeds', () => {
    const values = [0, 1, 1, 5, -2];
    const mean = (seed: number) => bootstrapMean(values, { seed, resamples: 30 });
    expect(mean(3)).toEqual(mean(3));
    expect(mean(3)).not.toEqual(mean(4));
  });

  it('is close to the normal interval for many values', () => {
    const values = Array.from({ length: 400 }, (_, index) => index % 2);
    const { mean, interval } = bootstrapMean(values);
    expect(mean).toBe(0.5);
    expect(interval[0]).toBeCloseTo(0.5 - (1.96 * 0.5) / 20, 2);
    expect(interval[1]).toBeCloseTo(0.5 + (1.96 * 0.5) / 20, 2);
  });

  it('collapses to a point for one value', () => {
    expect(bootstrapMean([7])).toEqual({ mean: 7, interval: [7, 7], units: 1 });
  });

  it('does not narrow when every value is repeated', () => {
    const values = [0, 1, 3, 8];
    const repeated = values.flatMap((value) => Array(25).fill(value) as number[]);
    const clusters = repeated.map(String);
    expect(bootstrapMean(repeated, { clusters })).toEqual({ ...bootstrapMean(values), mean: 3, units: 4 });
    expect(bootstrapMean(repeated).interval[1]).toBeLessThan(bootstrapMean(values).interval[1]);
    expect(() => bootstrapMean(values, { clusters: ['a'] })).toThrow(/one for each of 4 values/);
  });

  it.each([[[]], [[1, Number.NaN]]])('refuses %j', (values) => {
    expect(() => bootstrapMean(values)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});
