/** Finds room for things side by side: where each wishes to be, or as near as is free. */
import type { Rest } from './models/furniture-look.js';

/** On the floor plan of a receptacle, in metres from its middle; z grows towards its front. */
export type Spot = readonly [x: number, z: number];

export interface Occupant {
  readonly spot: Spot;
  readonly radius: number;
}

const STEP = 0.06;

/**
 * @param taken  What is there already.
 * @returns The free spot nearest to the wish; where none is free, the one with most room.
 */
export function freeSpot(rest: Rest, taken: readonly Occupant[], radius: number, wish: Spot): Spot {
  const { at } = rest;
  // half of a thing may stick out at the sides
  const size = rest.size.map((side) => Math.max(side / 4, side - radius)) as [number, number];
  const [x, z] = [clamped(wish[0], at[0], size[0]), clamped(wish[1], at[1], size[1])];
  let best: Spot = [x, z];
  let bestRoom = roomAt(best, taken, radius);
  if (bestRoom >= 0) return best;
  let nearest = Number.POSITIVE_INFINITY;
  const [columns, rows] = [Math.floor(size[0] / 2 / STEP), Math.floor(size[1] / 2 / STEP)];
  for (let row = -rows; row <= rows; row += 1) {
    for (let column = -columns; column <= columns; column += 1) {
      const spot: Spot = [at[0] + column * STEP, at[1] + row * STEP];
      const room = Math.min(0, roomAt(spot, taken, radius));
      const distance = Math.hypot(spot[0] - x, spot[1] - z);
      if (room > bestRoom || (room === bestRoom && distance < nearest)) {
        [best, bestRoom, nearest] = [spot, room, distance];
      }
    }
  }
  return best;
}

/** Metres between a thing and its nearest neighbour; negative where they overlap. */
function roomAt([x, z]: Spot, taken: readonly Occupant[], radius: number): number {
  let room = Number.POSITIVE_INFINITY;
  for (const other of taken) {
    room = Math.min(room, Math.hypot(x - other.spot[0], z - other.spot[1]) - radius - other.radius);
  }
  return room;
}

function clamped(value: number, middle: number, size: number): number {
  return Math.min(middle + size / 2, Math.max(middle - size / 2, value));
}
