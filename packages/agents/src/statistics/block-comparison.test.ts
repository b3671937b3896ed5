import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockComparison, standardDeviation } from './block-comparison.js';
import { minimumDetectableEffect, plannedPower } from './detectable-effect.js';
import { newTasksInterval } from './new-tasks.js';
import { signFlipPValue } from './paired-comparison.js';
import { spreadComparison } from './spread-comparison.js';
import { equalTaskMean, taskShares } from './task-mean.js';

const value = fc.integer({ min: -20, max: 20 }).map((n) => n / 20);
const differences = fc.array(value, { minLength: 1, maxLength: 9 });

/** The definition: the share of all sign flips whose sum is at least as far from 0. */
function byDefinition(values: readonly number[], shift: number): number {
  const shifted = values.map((each) => each - shift);
  const observed = Math.abs(shifted.reduce((sum, each) => sum + each, 0));
  let count = 0;
  for (let flips = 0; flips < 2 ** values.length; flips += 1) {
    const sum = shifted.reduce((total, each, block) => total + ((flips >> block) & 1 ? -each : each), 0);
    if (Math.abs(sum) >= observed - 1e-9) count += 1;
  }
  return count / 2 ** values.length;
}

describe('the paired permutation test over blocks', () => {
  it('is right in cases that can be counted by hand', () => {
    // all six agree: the observed signs and their mirror image, of 64
    expect(blockComparison([0.1, 0.2, 0.1, 0.3, 0.2, 0.1])).toMatchObject({ pValue: 2 / 64, blocks: 6, isExact: true });
    // 3 − 1 = 2 or more on either side: of ±1 ±3, all four
    expect(blockComparison([3, -1]).pValue).toBe(1);
    // |±1 ±2 ±3| ≥ 4: 6, 4 and their mirror images, of 8
    expect(blockComparison([-1, 2, 3]).pValue).toBe(0.5);
    expect(blockComparison([0, 0, 0])).toMatchObject({ effect: 0, pValue: 1, standardDeviation: 0 });
  });

  it('has an interval that can be counted by hand', () => {
    // 2 · (1 + k) / 8 > 0.5 from k = 2 on: the second lowest and the second highest of 1, 2, 3, 1.5, 2, 2.5, 2
    expect(blockComparison([1, 2, 3], { alpha: 0.5 }).interval).toEqual([1.5, 2.5]);
    expect(blockComparison([1, 2, 3, 4, 5]).interval).toEqual([-Infinity, Infinity]);
    expect(blockComparison([1, 2, 3, 4, 5, 6]).interval).toEqual([1, 6]);
  });

  it('counts what its definition says, for every shift', () => {
    fc.assert(
      fc.property(differences, (values) => {
        expect(blockComparison(values).pValue).toBeCloseTo(byDefinition(values, 0), 12);
        expect(blockComparison(values).pValue).toBeCloseTo(
          signFlipPValue(values.map((each) => Math.round(each * 20))),
          9,
        );
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('has in its interval the shifts that it does not reject, and no others', () => {
    fc.assert(
      fc.property(differences, fc.integer({ min: -40, max: 40 }), (values, step) => {
        const shift = step / 40 + 0.0031;
        const [low, high] = blockComparison(values, { alpha: 0.25 }).interval;
        expect(low <= shift && shift <= high).toBe(byDefinition(values, shift) > 0.25);
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  it('does not depend on the order of blocks, mirrors with the arms, and moves with a shift', () => {
    fc.assert(
      fc.property(differences, value, (values, shift) => {
        const { effect, pValue, interval } = blockComparison(values, { alpha: 0.25 });
        expect(blockComparison([...values].reverse()).pValue).toBe(pValue);
        const mirrored = blockComparison(
          values.map((each) => -each),
          { alpha: 0.25 },
        );
        expect(mirrored.pValue).toBe(pValue);
        expect(mirrored.interval[0]).toBeCloseTo(-interval[1], 12);
        const moved = blockComparison(
          values.map((each) => each + shift),
          { alpha: 0.25 },
        );
        expect(moved.effect).toBeCloseTo(effect + shift, 12);
        expect(moved.interval[0]).toBeCloseTo(interval[0] + shift, 12);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('draws sign flips beyond twenty blocks, the same ones every time, near the exact value', () => {
    const values = Array.from({ length: 24 }, (_, block) => ((block * 7) % 11) - 3);
    const { pValue, isExact, interval } = blockComparison(values);
    expect(isExact).toBe(false);
    expect(blockComparison(values)).toEqual(blockComparison(values));
    expect(Math.abs(pValue - signFlipPValue(values))).toBeLessThan(0.003);
    expect(interval[0]).toBeLessThan(2);
    expect(blockComparison(values, { seed: 1 }).pValue).not.toBe(pValue);
    expect(blockComparison(Array(40).fill(1)).pValue).toBe(2 / 100_001);
  });

  it('refuses what it cannot compare', () => {
    expect(() => blockComparison([])).toThrow('differences');
    expect(() => blockComparison([Number.NaN])).toThrow('differences');
    expect(() => blockComparison([1], { margin: 0 })).toThrow('margin');
    expect(() => blockComparison([1], { alpha: 1 })).toThrow('alpha');
  });
});

describe('equivalence within a margin', () => {
  it('is counted by hand', () => {
    const six = [0.01, -0.01, 0.02, -0.02, 0.01, -0.01];
    expect(blockComparison(six, { margin: 0.05 }).equivalencePValue).toBe(1 / 64);
    // a block beyond the margin: subsets with a mean of 0.05 or more are {0.1} and those with it whose mean stays there
    expect(blockComparison([0.1, 0, 0, 0, 0, 0], { margin: 0.05 }).equivalencePValue).toBe(7 / 64);
    expect(blockComparison([0.2, 0.2, 0.2, 0.2, 0.2, 0.2], { margin: 0.05 }).equivalencePValue).toBe(1);
  });

  it('holds exactly where the interval of twice the level lies within the margin', () => {
    fc.assert(
      fc.property(differences, fc.integer({ min: 1, max: 40 }), (values, step) => {
        const margin = step / 40 + 0.0031;
        const { equivalencePValue, interval } = blockComparison(values, { alpha: 0.2, margin });
        expect(equivalencePValue! <= 0.1).toBe(-margin < interval[0] && interval[1] < margin);
      }),
      { seed: 4, numRuns: 200 },
    );
  });
});

describe('the comparison of spreads', () => {
  it('is counted by hand', () => {
    const first = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5];
    const second = first.map((each) => each / 10);
    const { varianceRatio, pValue, effect } = spreadComparison(first, second);
    expect(varianceRatio).toBeCloseTo(100, 9);
    expect(effect).toBeGreaterThan(0);
    expect(pValue).toBeLessThan(0.01);
    expect(spreadComparison([1, 1], [2, 2])).toMatchObject({ varianceRatio: 1, effect: 0, pValue: 1 });
    expect(spreadComparison([1, 3], [2, 2]).varianceRatio).toBe(Infinity);
  });

  it('ignores what all runs of a group share, and the level of the arms', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 4, maxLength: 9 }), value, (pairs, shift) => {
        const groups = pairs.map((_, block) => (block < 2 ? 'a' : 'b'));
        const [first, second] = [pairs.map(([own]) => own), pairs.map(([, other]) => other)];
        const moved = first.map((each, block) => each + (block < 2 ? 3 : shift));
        const [before, after] = [first, moved].map((own) => spreadComparison(own, second, groups));
        expect(after!.effect).toBeCloseTo(before!.effect, 9);
      }),
      { seed: 5, numRuns: 100 },
    );
    expect(() => spreadComparison([1], [1, 2])).toThrow('second');
  });
});

describe('equal weight per task', () => {
  it('takes the mean over attempts, then over tasks', () => {
    const counts = [
      ...Array.from({ length: 9 }, () => ({ task: 'often', hits: 1, of: 1 })),
      { task: 'once', hits: 0, of: 1 },
      { task: 'silent', hits: 0, of: 0 },
    ];
    expect(equalTaskMean(counts)).toBe(0.5);
    expect([...taskShares(counts).keys()]).toEqual(['often', 'once']);
    expect(equalTaskMean([{ task: 'silent', hits: 0, of: 0 }])).toBeUndefined();
  });

  it('does not change when every attempt is repeated', () => {
    const count = fc.record({ task: fc.constantFrom('a', 'b', 'c'), hits: fc.nat(3), of: fc.constant(3) });
    fc.assert(
      fc.property(fc.array(count, { minLength: 1 }), (counts) => {
        expect(equalTaskMean([...counts, ...counts])).toBeCloseTo(equalTaskMean(counts)!, 12);
      }),
      { seed: 6 },
    );
  });
});

describe('the interval over new tasks', () => {
  it('is wider than the one over training alone where tasks differ', () => {
    const cells = Array.from({ length: 8 }, (_, block) => [0.5 + block / 100, -0.3, 0.2, block / 50]);
    const [low, high] = newTasksInterval(cells);
    const [inner, outer] = blockComparison(cells.map((row) => row.reduce((sum, each) => sum + each, 0) / 4)).interval;
    expect(low).toBeLessThan(inner);
    expect(high).toBeGreaterThan(outer);
    expect(() => newTasksInterval([[1], [1, 2]])).toThrow('differences');
  });
});

describe('what a design can find', () => {
  const plan = { standardDeviation: 0.08, blocks: 30 };

  it('agrees with a published table of the noncentral t', () => {
    // J. Cohen, Statistical Power Analysis (1988): a paired t-test with d_z = 0.5 needs 34 pairs for 80 %
    expect(plannedPower(0.5, { standardDeviation: 1, blocks: 34 })).toBeCloseTo(0.807, 2);
    expect(plannedPower(0, { standardDeviation: 1, blocks: 30 })).toBeCloseTo(0.05, 3);
  });

  it('is the inverse of its power, and shrinks with blocks', () => {
    const effect = minimumDetectableEffect(plan);
    expect(plannedPower(effect, plan)).toBeCloseTo(0.8, 4);
    expect(minimumDetectableEffect({ ...plan, blocks: 60 })).toBeLessThan(effect);
    expect(minimumDetectableEffect({ ...plan, alpha: 0.0125 })).toBeGreaterThan(effect);
    expect(minimumDetectableEffect({ ...plan, standardDeviation: 0 })).toBe(0);
    expect(standardDeviation([1, 3])).toBeCloseTo(Math.SQRT2, 12);
  });

  it('is zero power if so few blocks cannot give a significant result', () => {
    expect(minimumDetectableEffect({ ...plan, blocks: 5 })).toBe(Infinity);
    expect(minimumDetectableEffect({ ...plan, blocks: 6 })).toBeLessThan(1);
    expect(plannedPower(1, { ...plan, blocks: 5 })).toBe(0);
    expect(() => minimumDetectableEffect({ ...plan, blocks: 0 })).toThrow('blocks');
    expect(() => minimumDetectableEffect({ ...plan, power: 0.01 })).toThrow('power');
    expect(() => plannedPower(1, { ...plan, standardDeviation: -1 })).toThrow('standardDeviation');
  });
});
