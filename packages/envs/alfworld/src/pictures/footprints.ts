/** Darkened areas of a room's floor: below furniture and chairs. */
import type { FloorPlan } from './floor-plan.js';
import { type Footprint, joined } from './shadows.js';
import { type Dimensions, Solid } from './sight.js';

/** Furniture that begins higher above the floor casts no shadow on it, in meters. */
const MAX_GAP = 0.3;
const [BELOW_FURNITURE, BELOW_CHAIRS] = [0.44, 0.3] as const;
/** Half of the width of scenery that stands on the floor, in meters. */
const STANDING: Readonly<Record<string, number>> = { chair: 0.2, floorlamp: 0.14, footstool: 0.18 };

export function footprintsOf({ receptacles, things }: FloorPlan, dimensions: Dimensions): Footprint[] {
  const standing = receptacles.flatMap((receptacle): Footprint[] => {
    const { whole } = new Solid(receptacle, dimensions);
    if (whole.low[1] > MAX_GAP) return [];
    return [{ low: [whole.low[0], whole.low[2]], high: [whole.high[0], whole.high[2]], darkness: BELOW_FURNITURE }];
  });
  const scenery = things.flatMap(({ kind, x, z }): Footprint[] => {
    const half = STANDING[kind];
    return half === undefined
      ? []
      : [{ low: [x - half, z - half], high: [x + half, z + half], darkness: BELOW_CHAIRS }];
  });
  return [...joined(standing), ...scenery];
}
