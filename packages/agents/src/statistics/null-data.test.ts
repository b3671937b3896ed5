/**
 * Calibration: on simulated benchmarks in which all algorithms are equal, at most one comparison in twenty may claim a
 * difference, and 95 % intervals must cover the true rate.
 */
import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { Effected, type Effects } from '../../test-support/null-data.js';
import { crossedMean, successTable } from './crossed.js';
import { mcnemarExact, pairedComparison } from './paired-comparison.js';
import { trainedSuccessRate } from './success-rate.js';
import { trainingComparison } from './training-comparison.js';

const DATA_SETS = 1000;
/** 5 % plus three standard errors over 1,000 data sets. */
const AT_MOST = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / DATA_SETS);

const usual: Effects = {
  seeds: 5,
  tasks: 100,
  ability: 0,
  bySeed: 0.5,
  byTask: 1,
  byTaskAndAlgorithm: 0,
  rest: 0.3,
  greedy: true,
};

const kinds: readonly (readonly [string, Partial<Effects>])[] = [
  ['training seeds and tasks matter', {}],
  ['training seeds matter most', { bySeed: 1, byTask: 0.3, rest: 0.5 }],
  ['algorithms differ by task, not on average', { bySeed: 0.3, byTaskAndAlgorithm: 1 }],
  ['few tasks', { tasks: 20, bySeed: 1, byTask: 0.3, rest: 0.5 }],
  ['few tasks, most solved', { tasks: 20, ability: 1.5, byTaskAndAlgorithm: 0.5 }],
  ['sampled policies', { tasks: 60, ability: 1, bySeed: 0.4, byTask: 0.5, rest: 0.8, greedy: false }],
  ['three training seeds', { seeds: 3, tasks: 60 }],
];

describe.each(kinds)('null data: %s', (_, change) => {
  const effects: Effects = { ...usual, ...change };

  it('claims a difference at most one time in twenty, and covers the rate', () => {
    const rng = new Generator(1);
    let claimed = 0;
    let covered = 0;
    const truth = trueRate(effects);
    for (let set = 0; set < DATA_SETS; set += 1) {
      const data = new Effected(effects, rng);
      const [first, second] = [data.runs(), data.runs()];
      const { pValue, verdict } = trainingComparison([{ first, second }]);
      if (pValue! < 0.05) claimed += 1;
      if (set < 20) expect(verdict !== 'cannot tell').toBe(pValue! < 0.05);
      const [low, high] = trainedSuccessRate([first]).interval95;
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(claimed / DATA_SETS).toBeLessThan(AT_MOST);
    expect(covered / DATA_SETS).toBeGreaterThan(0.93);
  });
});

describe('what other methods claim on the same null data', () => {
  const claims = (
    test: (first: ReturnType<Effected['runs']>, second: ReturnType<Effected['runs']>, rng: Generator) => boolean,
  ) => {
    const rng = new Generator(2);
    let claimed = 0;
    for (let set = 0; set < 200; set += 1) {
      const data = new Effected(usual, rng);
      if (test(data.runs(), data.runs(), rng)) claimed += 1;
    }
    return claimed / 200;
  };

  it('McNemar over pooled episodes claims a difference most of the time', () => {
    const rate = claims((first, second) => {
      const [a, b] = [first, second].map((runs) => runs.flatMap(({ episodes }) => episodes));
      const count = (x: boolean) => a!.filter(({ success }, i) => success === x && b![i]!.success !== x).length;
      return mcnemarExact(count(true), count(false)) < 0.05;
    });
    expect(rate).toBeGreaterThan(0.5);
  });

  it('percentiles of a pigeonhole bootstrap over five training seeds claim too often', () => {
    const rate = claims((first, second, rng) => {
      const [a, b] = [successTable(first), successTable(second)];
      const cells = a.cells.map((row, seed) => row.map((cell, task) => cell - b.cells[seed]![task]!));
      const [low, high] = pigeonhole(cells, a.weights, rng);
      return low > 0 || high < 0;
    });
    expect(rate).toBeGreaterThan(0.09);
  });

  it('one training seed gives no p-value, since a difference between two policies is not one between two algorithms', () => {
    const data = new Effected({ ...usual, seeds: 1 }, new Generator(3));
    const [first, second] = [data.runs(), data.runs()];
    const comparison = trainingComparison([{ first, second }]);
    expect(comparison).toMatchObject({ seeds: 1, tasks: 100, covers: 'tasks', verdict: 'cannot tell' });
    expect(comparison).not.toHaveProperty('pValue');
    expect(pairedComparison(first[0]!.episodes, second[0]!.episodes).tasks).toBe(100);
  });
});

it('agrees with the pigeonhole bootstrap on the variance', () => {
  const data = new Effected({ ...usual, seeds: 40, bySeed: 0.3 }, new Generator(4));
  const table = successTable(data.runs());
  const { value, seedVariance, taskVariance } = crossedMean(table);
  const [low, high] = pigeonhole(table.cells, table.weights, new Generator(5), 400);
  const reach = 1.96 * Math.sqrt(seedVariance + taskVariance);
  expect(low).toBeCloseTo(value - reach, 1);
  expect((high - low) / (2 * reach)).toBeGreaterThan(0.8);
  expect((high - low) / (2 * reach)).toBeLessThan(1.25);
});

describe('a true difference', () => {
  it('is found if it is large', () => {
    const rng = new Generator(6);
    let found = 0;
    for (let set = 0; set < 100; set += 1) {
      const data = new Effected({ ...usual, bySeed: 0.2 }, rng);
      if (trainingComparison([{ first: data.runs(1), second: data.runs() }]).verdict === 'higher') found += 1;
    }
    expect(found).toBeGreaterThan(95);
  });
});

describe('two fixed agents on tasks that repeat', () => {
  it('differ at most one time in twenty if each task favors either with equal probability', () => {
    const rng = new Generator(7);
    let claimed = 0;
    for (let set = 0; set < DATA_SETS; set += 1) {
      const data = new Effected({ ...usual, seeds: 1, tasks: 40, bySeed: 0, rest: 1 }, rng);
      const [first, second] = [data.runs()[0]!, data.runs()[0]!];
      if (pairedComparison(first.episodes, second.episodes).pValue < 0.05) claimed += 1;
    }
    expect(claimed / DATA_SETS).toBeLessThan(AT_MOST);
  });
});

/** Probability that a drawn cell succeeds: all effects are normal, so their sum is. */
function trueRate({ ability, bySeed, byTask, byTaskAndAlgorithm, rest }: Effects): number {
  const x = ability / Math.hypot(bySeed, byTask, byTaskAndAlgorithm, rest);
  // Simpson's rule on the normal density
  const steps = 400;
  const density = (at: number) => Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  let sum = 0;
  for (let i = 0; i <= steps; i += 1)
    sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * density((x * i) / steps);
  return 0.5 + ((x / steps) * sum) / 3;
}

/** Seeds and tasks resampled independently; 2.5 % and 97.5 % of the means. */
function pigeonhole(
  cells: readonly (readonly number[])[],
  weights: readonly number[],
  rng: Generator,
  resamples = 200,
): [number, number] {
  const means = Array.from({ length: resamples }, () => {
    const tasks = weights.map(() => rng.integers(weights.length));
    const total = tasks.reduce((sum, task) => sum + weights[task]!, 0);
    const rows = cells.map(() => cells[rng.integers(cells.length)]!);
    const sum = rows.reduce((all, row) => tasks.reduce((part, task) => part + row[task]! * weights[task]!, all), 0);
    return sum / (total * rows.length);
  }).sort((a, b) => a - b);
  return [means[Math.floor(0.025 * resamples)]!, means[Math.floor(0.975 * resamples)]!];
}
