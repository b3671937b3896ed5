/**
 * Advantages from groups of trajectories that share their initial state; no critic.
 *
 * Rules: `docs/specs/algorithms.md` 9.1 to 9.4 (LOOP, RLOO, GRPO, Dr. GRPO, DAPO). Pinned by `test/golden/algos/group_advantages.json`.
 */
import type { RolloutBuffer } from '../rollout/record.js';
import { moments } from './normalize.js';

/** `leave-one-out`: R − mean of the others. `mean`: R − mean. `mean-std`: (R − mean) / (std + eps). */
export type GroupAdvantageKind = 'leave-one-out' | 'mean' | 'mean-std';

export interface GroupAdvantageOptions {
  readonly kind: GroupAdvantageKind;
  /** For `mean-std`; default `sample`. */
  readonly std?: 'sample' | 'population' | undefined;
  /** For `mean-std`; default 1e-6. */
  readonly eps?: number | undefined;
}

export interface GroupAdvantages {
  /** [M] one per trajectory; 0 in groups of one, and where all returns are equal up to rounding. */
  readonly advantages: Float64Array;
  /** [M] dynamic sampling (DAPO): the group has two trajectories at least, and not all returns are equal up to rounding. */
  readonly keep: boolean[];
}

/** @param returns [M] one scalar per trajectory.  @param groups [M] equal ids share an initial state. */
export function groupAdvantage(
  returns: ArrayLike<number>,
  groups: ArrayLike<number | string>,
  { kind, std = 'sample', eps = 1e-6 }: GroupAdvantageOptions,
): GroupAdvantages {
  const advantages = new Float64Array(returns.length);
  const keep = Array<boolean>(returns.length).fill(false);
  for (const members of membersOf(groups).values()) {
    const size = members.length;
    if (size < 2) continue;
    const rewards = members.map((index) => returns[index]!);
    if (!hasSpread(rewards)) continue;
    const { mean, sampleStd, populationStd } = moments(rewards);
    const scale =
      kind === 'mean'
        ? 1
        : kind === 'leave-one-out'
          ? (size - 1) / size
          : (std === 'sample' ? sampleStd : populationStd) + eps;
    for (const index of members) {
      advantages[index] = (returns[index]! - mean) / scale;
      keep[index] = true;
    }
  }
  return { advantages, keep };
}

/** Far above the rounding of a sum of a thousand rewards, far below any difference between rewards that is meant. */
const ROUNDING = 1e-9;

/** Sums of equal rewards in a different order differ in their last bits; such returns count as equal. */
function hasSpread(returns: readonly number[]): boolean {
  const low = returns.reduce((least, value) => Math.min(least, value));
  const high = returns.reduce((most, value) => Math.max(most, value));
  return high - low > ROUNDING * Math.max(1, Math.abs(low), Math.abs(high));
}

/** Indices by key, in order of first appearance. */
export function membersOf<Key>(keys: ArrayLike<Key>): Map<Key, number[]> {
  const groups = new Map<Key, number[]>();
  for (let i = 0; i < keys.length; i++) {
    const members = groups.get(keys[i]!);
    if (members) members.push(i);
    else groups.set(keys[i]!, [i]);
  }
  return groups;
}

/** [M] undiscounted return of each trajectory, format rewards included, in units of `reward.scale`. */
export const trajectoryReturns = ({ steps, trajectories }: RolloutBuffer, scale: number): Float64Array =>
  Float64Array.from(trajectories, (rows) =>
    rows.reduce((sum, row) => sum + (steps[row]!.reward.environment + steps[row]!.reward.format) / scale, 0),
  );

/** [M] group of each trajectory. */
export const trajectoryGroups = ({ steps, trajectories }: RolloutBuffer): number[] =>
  trajectories.map(([first]) => steps[first!]!.group!);

/** [B] the value of each trajectory on all of its steps. */
export function onEveryStep({ steps, trajectories }: RolloutBuffer, values: ArrayLike<number>): Float64Array {
  const spread = new Float64Array(steps.length);
  trajectories.forEach((rows, index) => {
    for (const row of rows) spread[row] = values[index]!;
  });
  return spread;
}

/** Share of the trajectories whose group has no spread: they teach nothing. */
export const uniformShare = ({ keep }: GroupAdvantages): number =>
  keep.filter((isKept) => !isKept).length / Math.max(1, keep.length);
