/**
 * One observation is a task, identified by its content, not an episode.
 *
 * Episodes of one task are not independent, so those with equal `info.taskKey` are repeats. Without a key from the
 * environment, every seed counts as one task.
 */
import { InvalidOptionError } from '@vlgym/core';

export interface TaskOutcome {
  readonly seed: number;
  /** Number of earlier attempts at this seed; default 0. */
  readonly repeat?: number;
  /** The task of the episode: `info.taskKey` at reset. */
  readonly taskKey?: string;
  readonly success: boolean;
  /** False for episodes that are not evidence about the agent; they are skipped. */
  readonly counted?: boolean;
}

/** How tasks are identified: by content keys of the environment, otherwise by seed. */
export type TasksBy = 'taskKey' | 'seed';

export interface TaskTotals {
  episodes: number;
  successes: number;
}

export const taskOf = ({ taskKey, seed }: Pick<TaskOutcome, 'taskKey' | 'seed'>): string =>
  taskKey === undefined ? `seed ${seed}` : `key ${taskKey}`;

export const countedOnly = <Row extends { readonly counted?: boolean }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ counted }) => counted !== false);

/** `taskKey` if every row has one. */
export const tasksBy = (rows: readonly Pick<TaskOutcome, 'taskKey'>[]): TasksBy =>
  rows.length > 0 && rows.every(({ taskKey }) => taskKey !== undefined) ? 'taskKey' : 'seed';

/** Episodes and successes of every task, in the order of first occurrence. */
export function totalsByTask(rows: readonly TaskOutcome[]): Map<string, TaskTotals> {
  const totals = new Map<string, TaskTotals>();
  for (const row of countedOnly(rows)) {
    const task = taskOf(row);
    const found = totals.get(task) ?? { episodes: 0, successes: 0 };
    found.episodes += 1;
    if (row.success) found.successes += 1;
    totals.set(task, found);
  }
  return totals;
}

/** Kish's effective number of equally weighted units: (Σ w)² / Σ w². */
export function effectiveNumber(weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total ** 2 / weights.reduce((sum, weight) => sum + weight * weight, 0);
}

/** @throws {InvalidOptionError}  No episode counts. */
export function requireTasks(option: string, tasks: number, found: unknown): void {
  if (tasks === 0) throw new InvalidOptionError(option, found, 'counted episodes on common tasks');
}
