/** How each outcome of a run follows from its cells. */
import { equalTaskMean, type TaskCount } from '@vlgym/agents/statistics';
import type { Cell, FinishedRun } from './cells.js';
import type { Outcome } from './outcome-names.js';

/** Counted per attempt, with equal weight per task. */
const COUNTED: Partial<Record<Outcome, (cell: Cell) => Omit<TaskCount, 'task'>>> = {
  success: ({ success }) => ({ hits: Number(success), of: 1 }),
  strict: ({ strict }) => ({ hits: Number(strict), of: 1 }),
  legal: ({ legal: [hits, of] }) => ({ hits, of }),
  thoughts: ({ thoughts: [hits, of] }) => ({ hits, of }),
};

/** Shares, that are printed in points of a hundred. */
export const isShare = (outcome: Outcome): boolean => !['sight', 'sight-gray', 'cpu-seconds'].includes(outcome);

/** Where an outcome has one value per task, these counts; else `undefined`. */
export function countsOf({ cells }: FinishedRun, outcome: Outcome): TaskCount[] | undefined {
  const count = COUNTED[outcome];
  return count && cells.map((cell) => ({ task: cell.task, ...count(cell) }));
}

/** Success of the last evaluation minus that of the start on the same episodes, each with the same weight. */
function gainOf({ curve }: FinishedRun): number | undefined {
  const [start, end] = [curve[0], curve.at(-1)];
  if (start?.[0] !== 0 || !end || end === start) return undefined;
  return end[1] / end[2] - start[1] / start[2];
}

/**
 * The score of a run: the mean over tasks of the share over attempts, or the run's own measure.
 *
 * A run that has lost every readable thought has 0 correct ones: leaving it out would reward the collapse.
 *
 * @returns `undefined` if it was not measured, e.g. thoughts of an environment that does not check them.
 */
export function scoreOf(run: FinishedRun, outcome: Outcome): number | undefined {
  if (outcome === 'thoughts' && !run.checksThoughts) return undefined;
  if (outcome === 'gain') return gainOf(run);
  const counts = countsOf(run, outcome);
  return counts ? (equalTaskMean(counts) ?? 0) : run.measures[outcome as keyof FinishedRun['measures']];
}
