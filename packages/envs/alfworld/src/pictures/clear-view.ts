/**
 * Brings furniture into view: what is used from a place must be seen from there.
 *
 * In real rooms it is. Ours have other sizes, so that some drawers would be within a stove, and a bin under a counter.
 */
import { type Receptacle, toWorld } from './floor-plan.js';
import { type Dimensions, Solid, View } from './sight.js';

/** Of a grid over the free area of a receptacle so many points should be seen. */
const [COLUMNS, ROWS, ENOUGH] = [5, 3, 6] as const;
/** Ways to move: along, and out of the front; meters, the shortest first. */
const SHIFTS = (() => {
  const steps = Array.from({ length: 17 }, (_, index) => (index - 8) / 10);
  const shifts = steps.flatMap((along) => steps.map((out) => [along, out] as const));
  return shifts.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
})();
/** Nothing comes nearer to who uses it, meters. */
const NEAREST = 0.2;

/** Moves each receptacle as little as is needed; those that come to stand before another are moved once more. */
export function inClearView(receptacles: readonly Receptacle[], dimensions: Dimensions): Receptacle[] {
  const placed = [...receptacles];
  const solids = placed.map((each) => new Solid(each, dimensions));
  for (const index of [...placed.keys(), ...placed.keys()]) {
    const receptacle = placed[index]!;
    const rest = dimensions.restOf(receptacle, true);
    const seen = (each: Receptacle) => {
      const view = new View(each, rest, solids);
      let count = 0;
      for (let point = 0; point < COLUMNS * ROWS; point += 1) {
        const [column, row] = [point % COLUMNS, Math.floor(point / COLUMNS)];
        const x = rest.at[0] + rest.size[0] * (column / (COLUMNS - 1) - 0.5);
        const z = rest.at[1] + rest.size[1] * (row / (ROWS - 1) - 0.5);
        if (view.faultOf([x, z]) === 0) count += 1;
      }
      return count;
    };
    let [best, most] = [receptacle, seen(receptacle)];
    for (const shift of SHIFTS) {
      if (most >= ENOUGH) break;
      const moved = shifted(receptacle, shift);
      if (moved.approach[1] - receptacle.depth / 2 < NEAREST) continue;
      const count = seen(moved);
      if (count > most) [best, most] = [moved, count];
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
