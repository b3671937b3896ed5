/**
 * Moves furniture into view: what the agent uses from a place must be visible from there.
 *
 * In AI2-THOR's rooms it is. Our furniture has other sizes, so some drawers would be inside a stove, or a bin under a
 * counter.
 */
import { type Receptacle, toWorld } from './geometry.js';
import { type Dimensions, Solid, View } from './sight.js';

/** Grid of points over a receptacle's free area. */
const [COLUMNS, ROWS] = [5, 3] as const;
/** Minimum number of those points that must be visible. */
const MIN_VISIBLE = 6;
/** Moves to try, shortest first: meters along the front, and out from it. */
const SHIFTS = (() => {
  const steps = Array.from({ length: 17 }, (_, index) => (index - 8) / 10);
  const shifts = steps.flatMap((along) => steps.map((out) => [along, out] as const));
  return shifts.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
})();
/** Minimum distance between furniture and its user, in meters. */
const MIN_DISTANCE = 0.2;

/** Moves each receptacle as little as needed. A second pass moves those that are now in front of another. */
export function moveIntoView(receptacles: readonly Receptacle[], dimensions: Dimensions): Receptacle[] {
  const placed = [...receptacles];
  const solids = placed.map((receptacle) => new Solid(receptacle, dimensions));
  for (const index of [...placed.keys(), ...placed.keys()]) {
    const receptacle = placed[index]!;
    const rest = dimensions.restOf(receptacle, true);
    const visiblePoints = (candidate: Receptacle) => {
      const view = new View(candidate, rest, solids);
      let count = 0;
      for (let point = 0; point < COLUMNS * ROWS; point += 1) {
        const [column, row] = [point % COLUMNS, Math.floor(point / COLUMNS)];
        const x = rest.at[0] + rest.size[0] * (column / (COLUMNS - 1) - 0.5);
        const z = rest.at[1] + rest.size[1] * (row / (ROWS - 1) - 0.5);
        if (view.penaltyOf([x, z]) === 0) count += 1;
      }
      return count;
    };
    let [best, bestCount] = [receptacle, visiblePoints(receptacle)];
    for (const shift of SHIFTS) {
      if (bestCount >= MIN_VISIBLE) break;
      const moved = shifted(receptacle, shift);
      if (moved.approach[1] - receptacle.depth / 2 < MIN_DISTANCE) continue;
      const count = visiblePoints(moved);
      if (count > bestCount) [best, bestCount] = [moved, count];
    }
    if (best === receptacle) continue;
    placed[index] = best;
    solids[index] = new Solid(best, dimensions);
  }
  return placed;
}

function shifted(receptacle: Receptacle, [along, out]: readonly [number, number]): Receptacle {
  const [x, z] = toWorld(receptacle, receptacle.facing, [along, out]);
  const { approach } = receptacle;
  return { ...receptacle, x, z, approach: [approach[0] - along, approach[1] - out] };
}
