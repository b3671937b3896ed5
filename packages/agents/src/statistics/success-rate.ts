/**
 * A success rate with an interval that accounts for episodes that repeat the same task.
 *
 * The interval is that of E. L. Korn and B. I. Graubard ("Confidence intervals for proportions with small expected
 * number of positive counts estimated from survey data", Survey Methodology 24, 1998): Clopper and Pearson's exact
 * interval on the effective number of independent tasks, which is the variance of independent ones divided by that found
 * over tasks and training seeds. It stays inside [0, 1] and remains valid at 0 % and 100 %, where a bootstrap
 * collapses to a point; there the number of distinct tasks counts. Where every task is played once by one policy it is
 * the exact binomial interval.
 */
import {
  type CrossedMean,
  crossedMean,
  type Spread,
  spreadOf,
  spreadOfMean,
  successTable,
  TINY,
  type TrainedRun,
} from './crossed.js';
import { betaQuantile, studentQuantile } from './student.js';
import { countedOnly, type TaskOutcome, type TasksBy, tasksBy } from './task-outcome.js';
import type { Interval } from './wilson.js';

/** The variation that the interval covers: over tasks, or over tasks and training seeds. */
export type Covers = 'tasks' | 'tasks and training';

export interface SuccessRate {
  readonly rate: number;
  readonly interval95: Interval;
  /** Distinct tasks. */
  readonly tasks: number;
  readonly tasksBy: TasksBy;
  /** Training seeds; 1 for one policy. */
  readonly seeds: number;
  readonly covers: Covers;
}

/** The rate of one policy; NaN with the interval [0, 1] if no episode counts. */
export function successRate(rows: readonly TaskOutcome[]): SuccessRate {
  if (countedOnly(rows).length === 0) {
    return { rate: Number.NaN, interval95: [0, 1], tasks: 0, tasksBy: 'seed', seeds: 1, covers: 'tasks' };
  }
  return trainedSuccessRate([[{ seed: 0, episodes: rows }]]);
}

/**
 * The mean over environments of the rate over training seeds and tasks.
 *
 * @param environments  The runs on each; usually one.
 * @throws {InvalidOptionError}  Runs on an environment have no task in common.
 */
export function trainedSuccessRate(environments: readonly (readonly TrainedRun[])[]): SuccessRate {
  const means = environments.map((runs) => crossedMean(successTable(runs)));
  const count = means.length;
  const rate = means.reduce((sum, { value }) => sum + value, 0) / count;
  const spread = spreadOfMean(means.map((mean) => spreadOf(mean)));
  const seeds = Math.min(...means.map((mean) => mean.seeds));
  return {
    rate,
    interval95: exactInterval(rate, effectiveTrials(rate, spread, means)),
    tasks: means.reduce((sum, { tasks }) => sum + tasks, 0),
    tasksBy: tasksBy(environments.flat().flatMap(({ episodes }) => countedOnly(episodes))),
    seeds,
    covers: seeds === 1 ? 'tasks' : 'tasks and training',
  };
}

function effectiveTrials(rate: number, { variance, df }: Spread, means: readonly CrossedMean[]): number {
  const tasks = means.reduce((sum, { effectiveTasks }) => sum + effectiveTasks, 0);
  const binomial = rate * (1 - rate);
  const isCertain = variance < TINY || binomial < TINY;
  // for independent tasks played once, this is their number
  const trials = isCertain ? tasks : Math.min(tasks, (binomial / variance) * (tasks / Math.max(1, tasks - 1)));
  const taskDf = Math.max(1, tasks - means.length);
  return trials * Math.min(1, studentQuantile(0.05, taskDf) / studentQuantile(0.05, df)) ** 2;
}

/** Clopper and Pearson (1934) for a number of trials that need not be whole. */
export function exactInterval(rate: number, trials: number): Interval {
  const successes = rate * trials;
  const failures = trials - successes;
  return [
    rate < TINY ? 0 : Math.min(rate, betaQuantile(0.025, successes, failures + 1)),
    1 - rate < TINY ? 1 : Math.max(rate, betaQuantile(0.975, successes + 1, failures)),
  ];
}
