/** Finds room for objects side by side: each at its preferred spot, or as close to it as is free and visible. */
import type { Rest } from './models/furniture-look.js';
import type { Body } from './sight.js';

/** Position relative to a receptacle, in meters from its middle; z grows towards its front. */
export type Spot = readonly [x: number, z: number];

export interface Occupant extends Body {
  /** Half of the width to keep free of others; long objects may stick out. */
  readonly room: number;
}

/** Distance between candidate spots, in meters. */
const STEP = 0.06;

/**
 * @param taken  Objects already there.
 * @param room  Half of the width to keep free.
 * @param preferred  The returned spot is as close to it as possible.
 * @param penaltyOf  How badly a spot is visible; 0 is best.
 * @returns Among the most visible spots, the nearest free one; if none is free, the one with most room.
 */
export function freeSpot(
  rest: Rest,
  taken: readonly Occupant[],
  room: number,
  preferred: Spot,
  penaltyOf: (spot: Spot) => number,
): Spot {
  const { at } = rest;
  // Half of an object may stick out at the sides.
  const size = rest.size.map((side) => Math.max(side / 4, side - room)) as [number, number];
  const [x, z] = [clamp(preferred[0], at[0], size[0]), clamp(preferred[1], at[1], size[1])];
  let best: Spot = [x, z];
  let bestPenalty = penaltyOf(best);
  let bestGap = Math.min(0, gapAt(best, taken, room));
  if (bestPenalty === 0 && bestGap === 0) return best;
  let nearest = bestGap === 0 ? 0 : Number.POSITIVE_INFINITY;
  const [columns, rows] = [Math.floor(size[0] / 2 / STEP), Math.floor(size[1] / 2 / STEP)];
  for (let row = -rows; row <= rows; row += 1) {
    for (let column = -columns; column <= columns; column += 1) {
      const spot: Spot = [at[0] + column * STEP, at[1] + row * STEP];
      const distance = Math.sqrt((spot[0] - x) ** 2 + (spot[1] - z) ** 2);
      if (bestPenalty === 0 && bestGap === 0 && distance >= nearest) continue;
      const gap = Math.min(0, gapAt(spot, taken, room));
      const isBetter = gap > bestGap || (gap === bestGap && distance < nearest);
      // Penalties are expensive to compute.
      if (bestPenalty === 0 && !isBetter) continue;
      const penalty = penaltyOf(spot);
      if (penalty < bestPenalty || (penalty === bestPenalty && isBetter)) {
        [best, bestPenalty, bestGap, nearest] = [spot, penalty, gap, distance];
      }
    }
  }
  return best;
}

/** Meters between an object and its nearest neighbor; negative if they overlap. */
function gapAt([x, z]: Spot, taken: readonly Occupant[], room: number): number {
  let gap = Number.POSITIVE_INFINITY;
  for (const other of taken) {
    const [dx, dz] = [x - other.spot[0], z - other.spot[1]];
    gap = Math.min(gap, Math.sqrt(dx * dx + dz * dz) - room - other.room);
  }
  return gap;
}

function clamp(value: number, middle: number, size: number): number {
  return Math.min(middle + size / 2, Math.max(middle - size / 2, value));
}
