/**
 * Training and test goals: the splits of the papers by name (`docs/specs/webshop.md` 5.5).
 *
 * A range gives positions in the shuffled list of goals. The numbers correspond to those of a paper only with its
 * catalog: all 1.18 million products with human goals (`webshop`, `agentbench`), 1,000 with synthetic ones (`verl-agent`,
 * `ragen`).
 */
import { EmptySplitError, splitOf } from '@vlgym/core';
import { PythonRandom } from '@vlgym/core/random';
import type { Goal } from './goal.js';
import { goalKey } from './goal-key.js';

export const SPLITS = {
  /** The original's baselines. */
  webshop: { test: [0, 500], dev: [500, 1500], train: [1500, undefined] },
  /** verl-agent; it also shuffles with its own seed, which `goalSeed` sets here. */
  'verl-agent': { test: [0, 500], train: [500, undefined] },
  agentbench: { test: [0, 200], train: [1000, 12_000] },
  /** ReAct and ExpeL: sessions `fixed_0` to `fixed_99`. */
  react: { test: [0, 100] },
  /** RAGEN; it counts in a list that is shuffled again (`RAGEN-AI/RAGEN`, `ragen/env/webshop/env.py`). */
  ragen: { test: [0, 500], dev: [500, 1500], train: [1500, undefined] },
} as const satisfies Record<string, Partial<Record<'test' | 'dev' | 'train', readonly [number, number | undefined]>>>;

export type SplitScheme = keyof typeof SPLITS;
export type SplitPart = 'test' | 'dev' | 'train' | 'all';

/** Seeds of second shuffles. */
const SHUFFLED: Readonly<Partial<Record<SplitScheme, number>>> = { ragen: 42 };

/** First position and the one after the last; empty if the catalog has too few goals. */
export function splitRange(scheme: SplitScheme, part: SplitPart, goalCount: number): readonly [number, number] {
  if (part === 'all') return [0, goalCount];
  const parts: Readonly<Partial<Record<string, readonly [number, number | undefined]>>> = SPLITS[scheme];
  const [from, to = goalCount] = parts[part] ?? [0, 0];
  return [Math.min(from, goalCount), Math.min(to, goalCount)];
}

/** Goals of a part: position in the part → index of the goal. */
export interface GoalPart {
  readonly size: number;
  at(place: number): number;
}

/** Goals by index, e.g. those of a benchmark that lists them. */
export const chosenPart = (indices: readonly number[]): GoalPart => ({
  size: indices.length,
  at: (place) => indices[place]!,
});

/**
 * Goals whose keys belong to a split: no task is in both, for any catalog (docs/splits.md).
 *
 * @throws {EmptySplitError}
 */
export function contentPart(split: 'train' | 'test', goals: readonly Goal[]): GoalPart {
  const indices = [...goals.keys()].filter((index) => splitOf(goalKey(goals[index]!)) === split);
  if (indices.length === 0) throw new EmptySplitError(split, `${goals.length} goals`);
  return chosenPart(indices);
}

export function splitPart(scheme: SplitScheme, part: SplitPart, goalCount: number): GoalPart {
  const [from, to] = splitRange(scheme, part, goalCount);
  const seed = SHUFFLED[scheme];
  if (seed === undefined || part === 'all') return { size: to - from, at: (place) => from + place };
  const order = Array.from({ length: goalCount }, (_, index) => index);
  new PythonRandom(seed).shuffle(order);
  return { size: to - from, at: (place) => order[from + place]! };
}
