/**
 * Simulated designs: two arms over the same blocks, on a fixed set of tasks.
 *
 * A run succeeds at a task with probability 1 / (1 + e^-(ability + warm start + seed + run + task)). Warm start and seed are
 * common to the arms, the rest of a run is its own; a collapsed run keeps a tenth of its successes.
 */
import type { Generator } from '@vlgym/core';
import { equalTaskMean } from '../src/statistics/task-mean.js';

export interface BlockEffects {
  readonly warmStarts: number;
  readonly seeds: number;
  readonly tasks: number;
  readonly attempts: number;
  readonly ability: number;
  /** Standard deviations, in logits. */
  readonly byWarmStart: number;
  readonly bySeed: number;
  readonly byRun: number;
  readonly byTask: number;
  /** Share of runs that collapse. */
  readonly collapse: number;
}

/** Success rates in the cells of two arms: [block][task]. */
export interface BlockData {
  readonly first: number[][];
  readonly second: number[][];
  /** Warm start of each block. */
  readonly groups: string[];
}

export const scores = (cells: readonly (readonly number[])[]): number[] =>
  cells.map((row) => equalTaskMean(row.map((share, task) => ({ task: String(task), hits: share, of: 1 })))!);

export const differencesOf = ({ first, second }: BlockData): number[] => {
  const others = scores(second);
  return scores(first).map((score, block) => score - others[block]!);
};

export function simulateBlocks(effects: BlockEffects, rng: Generator): BlockData {
  const { warmStarts, seeds, tasks, attempts, ability, byWarmStart, bySeed, byRun, byTask, collapse } = effects;
  const ofTasks = Array.from({ length: tasks }, () => byTask * rng.normal());
  const data: BlockData = { first: [], second: [], groups: [] };
  for (let warm = 0; warm < warmStarts; warm += 1) {
    const start = byWarmStart * rng.normal();
    for (let seed = 0; seed < seeds; seed += 1) {
      const block = ability + start + bySeed * rng.normal();
      for (const arm of [data.first, data.second]) {
        const level = block + byRun * rng.normal();
        const kept = rng.random() < collapse ? 0.1 : 1;
        arm.push(
          ofTasks.map((task) => {
            const chance = kept / (1 + Math.exp(-(level + task)));
            let hits = 0;
            for (let attempt = 0; attempt < attempts; attempt += 1) if (rng.random() < chance) hits += 1;
            return hits / attempts;
          }),
        );
      }
      data.groups.push(`warm start ${warm}`);
    }
  }
  return data;
}
