/**
 * Success in several attempts at one task: at least one of k (pass@k), or all of k (pass^k).
 *
 * Both are unbiased from n ≥ k attempts with c successes: the share of the k-subsets of the attempts that have a success,
 * or only successes. pass@k: M. Chen et al., "Evaluating Large Language Models Trained on Code" (arXiv 2107.03374), equation
 * 1. pass^k: S. Yao et al., "τ-bench" (arXiv 2406.12045), "Pass^k".
 */
import { InvalidOptionError } from '@vlgym/core';
import { bootstrapMean } from './bootstrap.js';
import { countedOnly, type TaskOutcome, taskOf } from './task-outcome.js';
import type { Interval } from './wilson.js';

/** @param k  1 … attempts. */
export function passAtK(attempts: number, successes: number, k: number): number {
  return 1 - allFrom(attempts, attempts - successes, k);
}

/** @param k  1 … attempts. */
export function passHatK(attempts: number, successes: number, k: number): number {
  return allFrom(attempts, successes, k);
}

/** Share of k-subsets of n things that lie within m of them: C(m, k) / C(n, k). */
function allFrom(n: number, m: number, k: number): number {
  if (!(Number.isInteger(k) && k >= 1 && k <= n)) throw new InvalidOptionError('k', k, `a whole number from 1 to ${n}`);
  if (!(Number.isInteger(m) && m >= 0 && m <= n)) throw new InvalidOptionError('successes', m, `0 to ${n}`);
  let share = 1;
  for (let drawn = 0; drawn < k; drawn += 1) share *= Math.max(0, m - drawn) / (n - drawn);
  return share;
}

export interface PassRate {
  readonly k: number;
  /** Mean over seeds; every seed with at least k counted attempts counts alike. */
  readonly atLeastOne: number;
  readonly all: number;
  /** By bootstrap over tasks, seed 0. */
  readonly atLeastOneInterval95: Interval;
  readonly allInterval95: Interval;
  /** Seeds with at least k counted attempts. */
  readonly seeds: number;
}

/** pass@k and pass^k of repeated episodes; `undefined` if no seed has k counted attempts. */
export function passRate(rows: readonly TaskOutcome[], k: number): PassRate | undefined {
  const bySeed = new Map<number, TaskOutcome[]>();
  for (const row of countedOnly(rows)) bySeed.set(row.seed, [...(bySeed.get(row.seed) ?? []), row]);
  const seeds = [...bySeed.values()].filter(({ length }) => length >= k);
  if (seeds.length === 0) return undefined;
  const successes = seeds.map((attempts) => attempts.filter(({ success }) => success).length);
  const clusters = seeds.map(([first]) => taskOf(first!));
  const rate = (estimate: typeof passAtK) =>
    bootstrapMean(
      seeds.map(({ length }, index) => estimate(length, successes[index]!, k)),
      { clusters, resamples: 2000 },
    );
  const [one, all] = [rate(passAtK), rate(passHatK)];
  return {
    k,
    atLeastOne: one.mean,
    all: all.mean,
    atLeastOneInterval95: one.interval,
    allInterval95: all.interval,
    seeds: seeds.length,
  };
}
