/** Beside the test on a fixed set of tasks: how far would the difference reach on other tasks of the same kind? */
import { InvalidOptionError } from '@vlgym/core';
import { crossedMean, spreadOf } from './crossed.js';
import { studentQuantile } from './student.js';
import type { Interval } from './wilson.js';

/**
 * Interval over training and tasks (`crossed.ts`) of the mean difference.
 *
 * @param differences  [block][task] First arm minus second.
 * @param weights  A weight for each task; default all equal.
 * @throws {InvalidOptionError}  No block, no task, or rows of different length.
 */
export function newTasksInterval(
  differences: readonly (readonly number[])[],
  alpha = 0.05,
  weights: readonly number[] = Array(differences[0]?.length ?? 0).fill(1),
): Interval {
  const tasks = differences[0]?.length ?? 0;
  if (tasks === 0 || [...differences, weights].some((row) => row.length !== tasks)) {
    throw new InvalidOptionError('differences', differences.length, 'one or more blocks with the same tasks');
  }
  const mean = crossedMean({ cells: differences, weights, tasks: [] });
  const { variance, df } = spreadOf(mean);
  const reach = studentQuantile(alpha, df) * Math.sqrt(variance);
  return [mean.value - reach, mean.value + reach];
}
