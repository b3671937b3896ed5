/** From rows to a result: rates with intervals, means, and the same for each category. */
import type { Usage } from '../agent.js';
import { addUsage, NO_USAGE } from '../model/budget.js';
import { bootstrapMean, mean } from '../statistics/bootstrap.js';
import { successRate } from '../statistics/success-rate.js';
import { type TasksBy, taskOf } from '../statistics/task-outcome.js';
import type { Interval } from '../statistics/wilson.js';
import { type EpisodeRow, isStrictSuccess } from './rows.js';

export interface Scores {
  /** Episodes that count; see `EpisodeRow.counted`. */
  readonly counted: number;
  readonly successes: number;
  /** Distinct tasks among them: the independent units behind every interval. */
  readonly tasks: number;
  /** `seed`: the environment gives no content keys, and every seed counts as one task. */
  readonly tasksBy: TasksBy;
  /** NaN if no episode counts, like every mean and rate below; then the interval is [0, 1]. */
  readonly successRate: number;
  /** 95 % interval of the success rate over tasks; it does not cover training seeds. Method: `successRate`. */
  readonly interval95: Interval;
  readonly meanReturn: number;
  /** 95 % interval of the mean return, by bootstrap over tasks, seed 0. */
  readonly returnInterval95: Interval;
  /** Mean number of turns. */
  readonly meanLength: number;
  /** Share of turns with text that have a legal action; absent if no turn has text. */
  readonly legalRate?: number;
  /** Share of turns with text in the requested format. */
  readonly formatRate?: number;
  /** Share of turns where the rule for unreadable answers decided. */
  readonly fallbackRate: number;
  /** Episodes that succeeded without an unreadable answer. */
  readonly strictSuccesses: number;
  /** Success rate if an unreadable answer fails the episode, regardless of the rule during play. */
  readonly strictRate: number;
  /** Share of right thoughts among the readable ones that the environment could check; absent if it checked none. */
  readonly thoughtRate?: number;
  /** How many thoughts that share is of. */
  readonly thoughtsChecked?: number;
}

export function summarizeRows(all: readonly EpisodeRow[]): Scores {
  const rows = all.filter(({ counted }) => counted);
  const isEmpty = rows.length === 0;
  const total = (value: (row: EpisodeRow) => number) => rows.reduce((sum, row) => sum + value(row), 0);
  const successes = rows.filter(({ success }) => success).length;
  const strictSuccesses = rows.filter(isStrictSuccess).length;
  const spoken = total((row) => row.spoken);
  const checked = total((row) => row.thoughtsChecked);
  const turns = total((row) => row.length);
  const returns = rows.map((row) => row.return);
  const { tasks, tasksBy, interval95 } = successRate(rows);
  return {
    counted: rows.length,
    successes,
    tasks,
    tasksBy,
    successRate: successes / rows.length,
    interval95,
    meanReturn: isEmpty ? Number.NaN : mean(returns),
    returnInterval95: isEmpty
      ? [Number.NaN, Number.NaN]
      : bootstrapMean(returns, { resamples: 2000, clusters: rows.map(taskOf) }).interval,
    meanLength: isEmpty ? Number.NaN : mean(rows.map(({ length }) => length)),
    ...(spoken === 0
      ? {}
      : { legalRate: total((row) => row.legal) / spoken, formatRate: total((row) => row.formatValid) / spoken }),
    fallbackRate: isEmpty ? Number.NaN : turns === 0 ? 0 : total((row) => row.fallbacks) / turns,
    strictSuccesses,
    strictRate: strictSuccesses / rows.length,
    ...(checked > 0 && { thoughtRate: total((row) => row.thoughtsCorrect) / checked, thoughtsChecked: checked }),
  };
}

/** Scores of each category, sorted by name. */
export function breakDown(rows: readonly EpisodeRow[]): Record<string, Scores> {
  const categories = [...new Set(rows.flatMap(({ category }) => category ?? []))].sort();
  return Object.fromEntries(
    categories.map((name) => [name, summarizeRows(rows.filter(({ category }) => category === name))]),
  );
}

/** Total usage of all rows, including those that do not count. */
export function totalUsage(rows: readonly EpisodeRow[]): Usage {
  return rows.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
}

/** Below this share of legal answers a table shows the strict rate next to success. */
export const MOSTLY_LEGAL = 0.99;
