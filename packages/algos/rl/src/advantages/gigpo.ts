/**
 * GiGPO: a group-relative advantage of the whole episode plus one among steps that met the same state.
 *
 * Rules: `docs/specs/algorithms.md` 9.7; the anchor key comes from the simulator's state, not from pixels.
 * Pinned by `test/golden/algos/gigpo.json`.
 */
import { groupAdvantage, membersOf } from './group.js';

export interface GigpoRows {
  /** [rows] initial state of the episode. */
  readonly group: ArrayLike<number | string>;
  /** [rows] episode. */
  readonly trajectory: ArrayLike<number | string>;
  /** [rows] index of the step in its episode, from 0, without gaps. */
  readonly step: ArrayLike<number>;
  /** [rows] hash of the simulator's state before the step. */
  readonly anchor: ArrayLike<number | string>;
  readonly reward: ArrayLike<number>;
}

export interface GigpoOptions {
  /** Discount of the returns-to-go compared at an anchor; default 0.95. */
  readonly gamma?: number | undefined;
  /** Weight of the step advantage; default 1. */
  readonly omega?: number | undefined;
  /** `mean` centers (default); `mean-std` also divides by the sample std + 1e-6. */
  readonly mode?: 'mean' | 'mean-std' | undefined;
}

export interface GigpoAdvantages {
  /** [rows] episode + omega * step. */
  readonly advantages: Float64Array;
  readonly episodeAdvantages: Float64Array;
  /** [rows] 0 where the state was met once. */
  readonly stepAdvantages: Float64Array;
  readonly episodeReturns: Float64Array;
  readonly stepReturns: Float64Array;
}

export function gigpo(rows: GigpoRows, { gamma = 0.95, omega = 1, mode = 'mean' }: GigpoOptions = {}): GigpoAdvantages {
  const size = rows.reward.length;
  const episodeReturns = new Float64Array(size);
  const stepReturns = new Float64Array(size);
  const trajectories = [...membersOf(rows.trajectory).values()];
  for (const members of trajectories) {
    members.sort((a, b) => rows.step[a]! - rows.step[b]!);
    let total = 0;
    let toGo = 0;
    for (const row of members) total += rows.reward[row]!;
    for (const row of members.toReversed()) {
      toGo = rows.reward[row]! + gamma * toGo;
      stepReturns[row] = toGo;
      episodeReturns[row] = total;
    }
  }

  // one entry per trajectory: a long episode weighs as much as a short one
  const firstRows = trajectories.map((members) => members[0]!);
  const perTrajectory = groupAdvantage(
    firstRows.map((row) => episodeReturns[row]!),
    firstRows.map((row) => rows.group[row]!),
    { kind: mode },
  ).advantages;
  const episodeAdvantages = new Float64Array(size);
  trajectories.forEach((members, index) => {
    for (const row of members) episodeAdvantages[row] = perTrajectory[index]!;
  });

  const anchors = Array.from({ length: size }, (_, row) => JSON.stringify([rows.group[row], rows.anchor[row]]));
  const stepAdvantages = groupAdvantage(stepReturns, anchors, { kind: mode }).advantages;
  const advantages = episodeAdvantages.map((episode, row) => episode + omega * stepAdvantages[row]!);
  return { advantages, episodeAdvantages, stepAdvantages, episodeReturns, stepReturns };
}
