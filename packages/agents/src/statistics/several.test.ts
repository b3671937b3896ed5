import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm, pairedComparison, passAtK, passHatK, passRate } from './index.js';

/** All k-subsets of n attempts, the first c of which succeed: the definition, by counting. */
function byCounting(n: number, c: number, k: number) {
  let [all, one, every] = [0, 0, 0];
  for (let set = 0; set < 2 ** n; set += 1) {
    const members = Array.from({ length: n }, (_, index) => index).filter((index) => set & (1 << index));
    if (members.length !== k) continue;
    all += 1;
    if (members.some((index) => index < c)) one += 1;
    if (members.every((index) => index < c)) every += 1;
  }
  return { one: one / all, every: every / all };
}

const attempts = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(), fc.nat())
  .map(([n, c, k]) => ({ n, c: c % (n + 1), k: 1 + (k % n) }));

describe('pass@k and pass^k', () => {
  it('are the shares of k-subsets with a success, and with only successes', () => {
    fc.assert(
      fc.property(attempts, ({ n, c, k }) => {
        const { one, every } = byCounting(n, c, k);
        expect(passAtK(n, c, k)).toBeCloseTo(one, 12);
        expect(passHatK(n, c, k)).toBeCloseTo(every, 12);
      }),
    );
  });

  it('are unbiased: their mean over all outcomes is the chance in k fresh attempts', () => {
    const [p, n, k] = [0.3, 6, 3];
    const binomial = (c: number) => {
      let ways = 1;
      for (let i = 0; i < c; i += 1) ways *= (n - i) / (i + 1);
      return ways * p ** c * (1 - p) ** (n - c);
    };
    const mean = (estimate: typeof passAtK) =>
      Array.from({ length: n + 1 }, (_, c) => binomial(c) * estimate(n, c, k)).reduce((sum, value) => sum + value, 0);
    expect(mean(passAtK)).toBeCloseTo(1 - (1 - p) ** k, 12);
    expect(mean(passHatK)).toBeCloseTo(p ** k, 12);
  });

  it('of an evaluation count seeds with enough attempts, and skip episodes that do not count', () => {
    const row = (seed: number, repeat: number, success: boolean, counted = true) => ({
      seed,
      repeat,
      success,
      counted,
    });
    const rows = [
      row(0, 0, true),
      row(0, 1, false),
      row(1, 0, true),
      row(1, 1, true),
      row(2, 0, true),
      row(2, 1, true, false),
    ];
    expect(passRate(rows, 2)).toMatchObject({ seeds: 2, atLeastOne: 1, all: 0.5 });
    expect(passRate(rows, 3)).toBeUndefined();
  });
});

describe('holm', () => {
  it('corrects as in the paper: the smallest times their number, never decreasing', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([])).toEqual([]);
  });

  it('keeps the order, changes nothing for one test, and lies between the raw value and Bonferroni', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }), (values) => {
        const adjusted = holm(values);
        for (const [index, value] of values.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(value);
          expect(adjusted[index]).toBeLessThanOrEqual(Math.min(1, value * values.length) + 1e-12);
          for (const [other, larger] of values.entries()) {
            if (value <= larger) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[other]!);
          }
        }
      }),
    );
  });
});

it('several attempts at a seed are separate pairs, and one task', () => {
  const rows = (success: boolean) =>
    [0, 1, 2, 3].flatMap((seed) => [0, 1, 2].map((repeat) => ({ seed, repeat, success: success || seed === 0 })));
  expect(pairedComparison(rows(true), rows(false))).toMatchObject({ pairs: 12, tasks: 4, onlyFirst: 9, pValue: 0.25 });
});
