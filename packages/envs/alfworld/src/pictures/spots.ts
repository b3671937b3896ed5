/** Finds room for things side by side: where each wishes to be, or as near as is free and in view. */
import type { Rest } from './models/furniture-look.js';
import type { Body } from './sight.js';

/** On the floor plan of a receptacle, in meters from its middle; z grows towards its front. */
export type Spot = readonly [x: number, z: number];

export interface Occupant extends Body {
  /** Half of the width that nothing else should lie in: long things stick out. */
  readonly room: number;
}

const STEP = 0.06;

/**
 * @param taken  What is there already.
 * @param room  What the thing takes up, half of its width.
 * @param faultOf  How badly a spot is seen; 0 where nothing is wrong.
 * @returns The free spot nearest to the wish among those seen best; where none is free, the one with most room.
 */
export function freeSpot(
  rest: Rest,
  taken: readonly Occupant[],
  room: number,
  wish: Spot,
  faultOf: (spot: Spot) => number,
): Spot {
  const { at } = rest;
  // half of a thing may stick out at the sides
  const size = rest.size.map((side) => Math.max(side / 4, side - room)) as [number, number];
  const [x, z] = [clamped(wish[0], at[0], size[0]), clamped(wish[1], at[1], size[1])];
  let best: Spot = [x, z];
  let bestFault = faultOf(best);
  let bestLeft = Math.min(0, leftAt(best, taken, room));
  if (bestFault === 0 && bestLeft === 0) return best;
  let nearest = bestLeft === 0 ? 0 : Number.POSITIVE_INFINITY;
  const [columns, rows] = [Math.floor(size[0] / 2 / STEP), Math.floor(size[1] / 2 / STEP)];
  for (let row = -rows; row <= rows; row += 1) {
    for (let column = -columns; column <= columns; column += 1) {
      const spot: Spot = [at[0] + column * STEP, at[1] + row * STEP];
      const distance = Math.sqrt((spot[0] - x) ** 2 + (spot[1] - z) ** 2);
      if (bestFault === 0 && bestLeft === 0 && distance >= nearest) continue;
      const left = Math.min(0, leftAt(spot, taken, room));
      const isBetter = left > bestLeft || (left === bestLeft && distance < nearest);
      // faults are dear to find
      if (bestFault === 0 && !isBetter) continue;
      const fault = faultOf(spot);
      if (fault < bestFault || (fault === bestFault && isBetter)) {
        [best, bestFault, bestLeft, nearest] = [spot, fault, left, distance];
      }
    }
  }
  return best;
}

/** Meters between a thing and its nearest neighbor; negative where they overlap. */
function leftAt([x, z]: Spot, taken: readonly Occupant[], room: number): number {
  let left = Number.POSITIVE_INFINITY;
  for (const other of taken) {
    const [dx, dz] = [x - other.spot[0], z - other.spot[1]];
    left = Math.min(left, Math.sqrt(dx * dx + dz * dz) - room - other.room);
  }
  return left;
}

function clamped(value: number, middle: number, size: number): number {
  return Math.min(middle + size / 2, Math.max(middle - size / 2, value));
}
