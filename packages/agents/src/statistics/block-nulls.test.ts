/**
 * Calibration of the statistics of designs (`docs/claims/README.md`) on simulated runs with effects of warm start, seed,
 * task and collapse. Every bound has two sides, and methods that are known to be too bold or too timid break it.
 */
import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { type BlockEffects, differencesOf, scores, simulateBlocks } from '../../test-support/null-blocks.js';
import { blockComparison, standardDeviation } from './block-comparison.js';
import { minimumDetectableEffect } from './detectable-effect.js';
import { newTasksInterval } from './new-tasks.js';
import { spreadComparison } from './spread-comparison.js';
import { studentPValue } from './student.js';
import type { Interval } from './wilson.js';

const DESIGNS = 2000;

const usual: BlockEffects = {
  ...{ warmStarts: 2, seeds: 5, tasks: 19, attempts: 2, ability: 0.5 },
  ...{ byWarmStart: 0.4, bySeed: 0.3, byRun: 0.3, byTask: 1, collapse: 0 },
};

const kinds: readonly (readonly [string, Partial<BlockEffects>])[] = [
  ['seeds and tasks matter', {}],
  ['runs matter most', { byRun: 1, byTask: 0.3 }],
  ['one run in ten collapses', { collapse: 0.1 }],
  ['three warm starts, nearly all solved', { warmStarts: 3, seeds: 4, ability: 2 }],
];

const isSound = (rate: number) => rate >= 0.025 && rate <= 0.055;
const covers = (rate: number) => rate >= 0.93 && rate <= 0.97;

type Cells = readonly (readonly number[])[];
const cellsOf = ({ first, second }: { first: Cells; second: Cells }) =>
  first.map((row, block) => row.map((cell, task) => cell - second[block]![task]!));
const includes = ([low, high]: Interval, value: number) => low <= value && value <= high;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function rateOf(effects: BlockEffects, seed: number, happens: (data: ReturnType<typeof simulateBlocks>) => boolean) {
  const rng = new Generator(seed);
  let count = 0;
  for (let design = 0; design < DESIGNS; design += 1) if (happens(simulateBlocks(effects, rng))) count += 1;
  return count / DESIGNS;
}

describe.each(kinds)('equal arms: %s', (_, change) => {
  const effects = { ...usual, ...change };

  it('differ in 2.5 to 5.5 % of designs, and 93 to 97 % of intervals hold 0', () => {
    let covered = 0;
    const claimed = rateOf(effects, 1, (data) => {
      const { pValue, interval } = blockComparison(differencesOf(data));
      if (includes(interval, 0)) covered += 1;
      return pValue <= 0.05;
    });
    expect(claimed).toSatisfy(isSound);
    expect(covered / DESIGNS).toSatisfy(covers);
  });
});

describe('other methods on the same designs break the bounds', () => {
  it('episodes counted as if they were runs claim too often', () => {
    const rate = rateOf({ ...usual, byRun: 0.6 }, 1, (data) => {
      const cells = cellsOf(data).flat();
      const center = mean(cells);
      const error = Math.sqrt(mean(cells.map((cell) => (cell - center) ** 2)) / cells.length);
      return studentPValue(center / error, cells.length - 1) <= 0.05;
    });
    expect(rate).toBeGreaterThan(0.055);
  });

  it('an interval over tasks too claims too rarely on a fixed set, and covers too often', () => {
    const rate = rateOf(usual, 1, (data) => !includes(newTasksInterval(cellsOf(data)), 0));
    expect(rate).toBeLessThan(0.025);
    expect(1 - rate).toBeGreaterThan(0.97);
  });

  it('percentiles of a bootstrap over few blocks cover too rarely', () => {
    const draws = new Generator(7);
    const few = { ...usual, seeds: 3 };
    const rate = rateOf(few, 1, (data) => {
      const differences = differencesOf(data);
      const means = Array.from({ length: 100 }, () =>
        mean(differences.map(() => differences[draws.integers(differences.length)]!)),
      ).sort((a, b) => a - b);
      return includes([means[2]!, means[97]!], 0);
    });
    expect(rate).toBeLessThan(0.93);
  });
});

describe('unequal arms', () => {
  const better = 0.12;
  const shifted = (data: ReturnType<typeof simulateBlocks>, by: number) => differencesOf(data).map((each) => each + by);

  it('have an interval that holds the difference in 93 to 97 % of designs', () => {
    const rate = rateOf({ ...usual, collapse: 0.1 }, 3, (data) =>
      includes(blockComparison(shifted(data, better)).interval, better),
    );
    expect(rate).toSatisfy(covers);
  });

  it.each([8, 12])('of %d blocks are found as often as planned from the spread of pilots', (blocks) => {
    const effects = { ...usual, warmStarts: 2, seeds: blocks / 2 };
    const rng = new Generator(4);
    const pilots = Array.from({ length: 300 }, () => standardDeviation(differencesOf(simulateBlocks(effects, rng))));
    const found = (effect: number) =>
      rateOf(effects, 5, (data) => blockComparison(shifted(data, effect)).pValue <= 0.05);
    const plan = { standardDeviation: Math.sqrt(mean(pilots.map((each) => each ** 2))), blocks };
    const isPlanned = (rate: number) => Math.abs(rate - 0.8) <= 0.05;
    expect(found(minimumDetectableEffect(plan))).toSatisfy(isPlanned);
    // the bound is not met by a plan for 65 %, nor by one for 95 %
    expect(found(minimumDetectableEffect({ ...plan, power: 0.65 }))).not.toSatisfy(isPlanned);
    expect(found(minimumDetectableEffect({ ...plan, power: 0.95 }))).not.toSatisfy(isPlanned);
  });

  it('are called equal in at most one design of twenty where they differ by the margin', () => {
    const rate = rateOf(usual, 6, (data) => {
      const { equivalencePValue } = blockComparison(shifted(data, 0.1), { margin: 0.1 });
      return equivalencePValue! <= 0.05;
    });
    expect(rate).toSatisfy(isSound);
    const equal = rateOf(
      usual,
      6,
      (data) => blockComparison(differencesOf(data), { margin: 0.1 }).equivalencePValue! <= 0.05,
    );
    expect(equal).toBeGreaterThan(0.4);
  });
});

describe('spreads', () => {
  it('of equal arms differ in 2.5 to 5.5 % of designs, those of unequal arms are found', () => {
    const compare = (by: number) => (data: ReturnType<typeof simulateBlocks>) => {
      const first = scores(data.first);
      const center = mean(first);
      const wider = first.map((score) => center + by * (score - center));
      return spreadComparison(wider, scores(data.second), data.groups).pValue <= 0.05;
    };
    const effects = { ...usual, seeds: 6, byRun: 0.6 };
    expect(rateOf(effects, 8, compare(1))).toSatisfy(isSound);
    expect(rateOf(effects, 8, compare(4))).toBeGreaterThan(0.8);
  });
});
