/**
 * The mean of a table of training seeds × tasks, and its variance.
 *
 * Every policy plays the same tasks, so seeds and tasks are crossed: value = mean + seed effect + task effect + rest.
 * A new benchmark would draw both again, so the variance of the mean is the variance over seeds plus the variance over
 * tasks. It is the variance of the pigeonhole bootstrap, which resamples both independently, in closed form, and it
 * is conservative by the share of the rest (A. B. Owen, "The pigeonhole bootstrap", Annals of Applied Statistics
 * 1, 2007, theorems 2 and 3).
 *
 * Five seeds are too few for percentiles of a bootstrap: `null-data.test.ts` finds a false positive in one comparison
 * out of nine. Intervals use Student's t instead. Its degrees of freedom weigh those of seeds and tasks by their
 * shares of the variance, as W. G. Cochran's approximation does for two variances (Biometrics 20, 1964, 191).
 */
import { effectiveNumber, requireTasks, type TaskOutcome, totalsByTask } from './task-outcome.js';

/** The final evaluation of one training run. */
export interface TrainedRun {
  /** Training seed. */
  readonly seed: number;
  readonly episodes: readonly TaskOutcome[];
}

/** Rows are training seeds, columns are tasks. */
export interface CrossedTable {
  /** [seed][task], e.g. success rates or differences of two. */
  readonly cells: readonly (readonly number[])[];
  /** [task] Weight: its number of episodes. */
  readonly weights: readonly number[];
  readonly tasks: readonly string[];
}

export interface CrossedMean {
  readonly value: number;
  readonly seeds: number;
  /** Distinct tasks. */
  readonly tasks: number;
  /** Effective number of equally weighted tasks; less than `tasks` if some are played more often. */
  readonly effectiveTasks: number;
  /** Variance of the mean over training seeds; 0 for one seed, where it is unknown. */
  readonly seedVariance: number;
  readonly taskVariance: number;
}

/** Equal outcomes have a variance of 0 in theory and 1e-33 in floating point. */
export const TINY = 1e-12;

/** Success per seed and task, over the tasks that every run has played. @throws {InvalidOptionError} */
export function successTable(runs: readonly TrainedRun[]): CrossedTable {
  const totals = runs.map(({ episodes }) => totalsByTask(episodes));
  const tasks = [...(totals[0]?.keys() ?? [])].filter((task) => totals.every((run) => run.has(task)));
  requireTasks('runs', tasks.length, runs.length);
  const episodes = tasks.map((task) => totals.reduce((sum, each) => sum + each.get(task)!.episodes, 0));
  return {
    cells: totals.map((run) => tasks.map((task) => run.get(task)!.successes / run.get(task)!.episodes)),
    weights: episodes,
    tasks,
  };
}

export function crossedMean({ cells, weights }: CrossedTable): CrossedMean {
  const seeds = cells.length;
  const tasks = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const seedMeans = cells.map((row) => row.reduce((sum, cell, task) => sum + cell * weights[task]!, 0) / total);
  const value = seedMeans.reduce((sum, mean) => sum + mean, 0) / seeds;
  const taskMeans = weights.map((_, task) => cells.reduce((sum, row) => sum + row[task]!, 0) / seeds);
  const spread = taskMeans.reduce((sum, mean, task) => sum + ((weights[task]! / total) * (mean - value)) ** 2, 0);
  return {
    value,
    seeds,
    tasks,
    effectiveTasks: effectiveNumber(weights),
    seedVariance:
      seeds === 1 ? 0 : seedMeans.reduce((sum, mean) => sum + (mean - value) ** 2, 0) / (seeds * (seeds - 1)),
    taskVariance: tasks === 1 ? 0 : (spread * tasks) / (tasks - 1),
  };
}

/** Variance of an estimate, with its degrees of freedom. */
export interface Spread {
  /** Variance of the mean. */
  readonly variance: number;
  /** Degrees of freedom for Student's t. */
  readonly df: number;
}

/** @param taskVariance  Replaces the variance that the table gives. */
export function spreadOf(mean: CrossedMean, taskVariance = mean.taskVariance): Spread {
  const taskDf = Math.max(1, mean.effectiveTasks - 1);
  if (mean.seeds === 1) return { variance: taskVariance, df: taskDf };
  const seedDf = mean.seeds - 1;
  const variance = mean.seedVariance + taskVariance;
  if (variance < TINY) return { variance: 0, df: Math.min(seedDf, taskDf) };
  return { variance, df: variance / (mean.seedVariance / seedDf + taskVariance / taskDf) };
}

/** The spread of the mean of independent estimates, e.g. one per environment. */
export function spreadOfMean(spreads: readonly Spread[]): Spread {
  const parts = spreads.map(({ variance, df }) => ({ variance: variance / spreads.length ** 2, df }));
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  if (variance < TINY) return { variance: 0, df: Math.min(...parts.map(({ df }) => df)) };
  return { variance, df: variance / parts.reduce((sum, part) => sum + part.variance / part.df, 0) };
}
