/**
 * Two agents on the same seeds: does one succeed more often, and by how much?
 *
 * Pairs are worth more than two separate rates because easy and hard tasks cancel. Tasks are the units, not episodes:
 * repeats of one task are one observation. Test: sign flips, exact; under the null hypothesis each task favors either
 * agent alike. Where every task occurs once it is McNemar's exact test. Interval: Student's t over tasks with half a task
 * added on each side (`training-comparison.ts`). Both are about these two fixed agents; trained policies are
 * compared over training seeds.
 */
import { InvalidOptionError } from '@vlgym/core';
import { crossedMean } from './crossed.js';
import { studentQuantile } from './student.js';
import { countedOnly, type TaskOutcome, type TasksBy, taskOf, tasksBy } from './task-outcome.js';
import { withHalfTasks } from './training-comparison.js';
import type { Interval } from './wilson.js';

export interface PairedComparison {
  /** Episodes that both agents played: equal seeds, and equal repeats of a seed. */
  readonly pairs: number;
  /** Distinct tasks among them: the independent units. */
  readonly tasks: number;
  readonly tasksBy: TasksBy;
  readonly bothSucceed: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
  /** Success rate of the first minus that of the second. */
  readonly difference: number;
  readonly interval95: Interval;
  /** Two-sided, exact, over tasks. */
  readonly pValue: number;
}

interface Pair {
  readonly first: TaskOutcome;
  readonly second: TaskOutcome;
}

/**
 * @throws {InvalidOptionError}  No seed is common to both, an attempt occurs twice, or a seed has two different tasks.
 *
 * @example
 * const { difference, pValue } = pairedComparison(tuned.episodes, base.episodes);
 */
export function pairedComparison(first: readonly TaskOutcome[], second: readonly TaskOutcome[]): PairedComparison {
  const pairs = pairsOf(first, second);
  const count = (a: boolean, b: boolean) =>
    pairs.filter((pair) => pair.first.success === a && pair.second.success === b).length;
  const onlyFirst = count(true, false);
  const onlySecond = count(false, true);
  const tasks = new Map<string, number[]>();
  for (const pair of pairs) {
    const task = taskOf(pair.first);
    tasks.set(task, [...(tasks.get(task) ?? []), Number(pair.first.success) - Number(pair.second.success)]);
  }
  const differences = [...tasks.values()];
  const sums = differences.map((values) => values.reduce((sum, value) => sum + value, 0));
  return {
    pairs: pairs.length,
    tasks: tasks.size,
    tasksBy: tasksBy(pairs.map((pair) => pair.first)),
    bothSucceed: count(true, true),
    onlyFirst,
    onlySecond,
    neither: count(false, false),
    difference: (onlyFirst - onlySecond) / pairs.length,
    interval95: intervalOverTasks(differences),
    pValue: signFlipPValue(sums),
  };
}

/**
 * Two-sided p-value of a sum of whole numbers under random signs, each flipped with probability ½.
 * Exact: the distribution of the sum is computed, not drawn.
 */
export function signFlipPValue(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const sum = Math.abs(differences.reduce((total, value) => total + value, 0));
  if (sizes.every((size) => size === 1)) return mcnemarExact((sizes.length + sum) / 2, (sizes.length - sum) / 2);
  const reach = sizes.reduce((total, size) => total + size, 0);
  let chances = new Float64Array(2 * reach + 1); // probability of each sum, starting at −reach
  chances[reach] = 1;
  for (const size of sizes) {
    const next = new Float64Array(chances.length);
    chances.forEach((chance, place) => {
      if (chance === 0) return;
      next[place - size]! += chance / 2;
      next[place + size]! += chance / 2;
    });
    chances = next;
  }
  return Math.min(
    1,
    chances.reduce((tail, chance, place) => (Math.abs(place - reach) >= sum ? tail + chance : tail), 0),
  );
}

/** Two-sided p-value of `b` against `c` discordant pairs under a fair coin; 1 where there are none. */
export function mcnemarExact(b: number, c: number): number {
  const n = b + c;
  let logTerm = -n * Math.LN2; // log of C(n, 0) / 2^n; logarithms keep thousands of pairs from underflowing
  let tail = 0;
  for (let k = 0; k <= Math.min(b, c); k += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

/** @param differences  One per pair of a task: −1, 0 or 1. */
function intervalOverTasks(differences: readonly (readonly number[])[]): Interval {
  const mean = crossedMean({
    cells: [differences.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length)],
    weights: differences.map(({ length }) => length),
    tasks: [],
  });
  const { value, spread } = withHalfTasks(mean);
  const reach = studentQuantile(0.05, spread.df) * Math.sqrt(spread.variance);
  return [Math.max(-1, Math.min(mean.value, value - reach)), Math.min(1, Math.max(mean.value, value + reach))];
}

function pairsOf(first: readonly TaskOutcome[], second: readonly TaskOutcome[]): Pair[] {
  const others = byAttempt('second', second);
  const pairs = [...byAttempt('first', first)].flatMap(([attempt, row]) => {
    const other = others.get(attempt);
    return other ? [{ first: row, second: other }] : [];
  });
  if (pairs.length === 0) {
    throw new InvalidOptionError('second', second.length, 'episodes that share seeds with the first');
  }
  const differing = pairs.find((pair) => taskOf(pair.first) !== taskOf(pair.second));
  if (differing) {
    const { seed, taskKey } = differing.second;
    throw new InvalidOptionError(
      'second',
      taskKey,
      `the task of the first for seed ${seed}: ${differing.first.taskKey}`,
    );
  }
  return pairs;
}

/** By seed and repeat, so that each attempt at a seed is a separate pair. */
function byAttempt(option: string, rows: readonly TaskOutcome[]): Map<string, TaskOutcome> {
  const valid = countedOnly(rows);
  const attempts = new Map(valid.map((row) => [`${row.seed}#${row.repeat ?? 0}`, row]));
  if (attempts.size < valid.length) throw new InvalidOptionError(option, rows.length, 'each attempt at a seed once');
  return attempts;
}
