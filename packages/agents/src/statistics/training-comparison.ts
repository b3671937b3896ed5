/**
 * Compares two training methods over the same training seeds and tasks: is one better, or is it unclear?
 *
 * The units are differences per training seed and task. Their mean is tested with Student's t against its variance over
 * seeds and tasks (`crossed.ts`). One task that only the first solves and one that only the second solves are added to
 * the tasks, each with half weight, so that few or no differences are not mistaken for certainty: A. Agresti and Y. Min,
 * "Simple improved confidence intervals for comparing matched proportions", Statistics in Medicine 24, 2005.
 *
 * With one training seed the variance over seeds is unknown: the result has an interval over tasks and no p-value.
 */
import { InvalidOptionError } from '@vlgym/core';
import {
  type CrossedMean,
  crossedMean,
  type Spread,
  spreadOf,
  spreadOfMean,
  successTable,
  type TrainedRun,
} from './crossed.js';
import { studentPValue, studentQuantile } from './student.js';
import type { Covers } from './success-rate.js';
import type { Interval } from './wilson.js';

export interface TrainingPair {
  readonly first: readonly TrainedRun[];
  readonly second: readonly TrainedRun[];
}

export interface TrainingComparison {
  /** Success rate of the first minus that of the second, over common seeds and tasks. */
  readonly difference: number;
  readonly interval95: Interval;
  /** Two-sided; absent with one training seed. */
  readonly pValue?: number;
  /** Training seeds that both methods have. */
  readonly seeds: number;
  /** Distinct tasks that all runs have played. */
  readonly tasks: number;
  readonly covers: Covers;
  /** `higher` or `lower` only if the interval excludes 0 and there are several training seeds. */
  readonly verdict: 'higher' | 'lower' | 'cannot tell';
}

/**
 * @param environments  The runs of both on each; the mean over environments is compared.
 * @throws {InvalidOptionError}  No training seed or no task is common to both.
 */
export function trainingComparison(environments: readonly TrainingPair[]): TrainingComparison {
  const means = environments.map(differences);
  const smoothed = means.map(withHalfTasks);
  const difference = average(means.map(({ value }) => value));
  const center = average(smoothed.map(({ value }) => value));
  const { variance, df } = spreadOfMean(smoothed.map(({ spread }) => spread));
  const error = Math.sqrt(variance);
  const reach = studentQuantile(0.05, df) * error;
  const seeds = Math.min(...means.map((mean) => mean.seeds));
  const low = Math.max(-1, Math.min(difference, center - reach));
  const high = Math.min(1, Math.max(difference, center + reach));
  return {
    difference,
    interval95: [low, high],
    ...(seeds > 1 && { pValue: studentPValue(center / error, df) }),
    seeds,
    tasks: means.reduce((sum, { tasks }) => sum + tasks, 0),
    covers: seeds === 1 ? 'tasks' : 'tasks and training',
    verdict: seeds === 1 || (low <= 0 && high >= 0) ? 'cannot tell' : low > 0 ? 'higher' : 'lower',
  };
}

function differences({ first, second }: TrainingPair): CrossedMean {
  const rivals = new Map(second.map((run) => [run.seed, run]));
  const pairs = first.flatMap((run) => {
    const rival = rivals.get(run.seed);
    return rival ? [{ run, rival }] : [];
  });
  if (pairs.length === 0) {
    throw new InvalidOptionError('second', [...rivals.keys()], 'runs that share training seeds with the first');
  }
  const { cells, weights, tasks } = successTable([...pairs.map(({ run }) => run), ...pairs.map(({ rival }) => rival)]);
  const size = pairs.length;
  const difference = (seed: number) => weights.map((_, task) => cells[seed]![task]! - cells[size + seed]![task]!);
  return crossedMean({ cells: pairs.map((_, seed) => difference(seed)), weights, tasks });
}

/** Mean and variance over tasks with a half task at +1 and a half task at −1, of the weight of a usual task. */
export function withHalfTasks(mean: CrossedMean): { readonly value: number; readonly spread: Spread } {
  const { value, effectiveTasks: n } = mean;
  const scale = Math.max(2, n) / Math.max(1, n - 1);
  // Σ of squared deviations about the mean, in tasks: of the table, of the two half tasks, and of shifting the mean
  const found = (mean.taskVariance * n * n) / scale;
  const added = 1 + (2 * n * value * value) / (n + 2);
  const taskVariance = ((found + added) * scale) / (n + 2) ** 2;
  return { value: (value * n) / (n + 2), spread: spreadOf(mean, taskVariance) };
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
