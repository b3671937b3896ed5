/** Basins, the toilet, and the holders next to them. */
import type { Furniture, FurnitureLook, FurnitureModels } from './furniture-look.js';
import { ball, box, cylinder, move, ring, rod, type Shape, shape, turn, turned } from './solids.js';

const STEEL = 0xb9c1ca;
const BLACK = 0x25262a;
const CHINA = 0xf2f4f5;

/** A spout that bends over a basin. */
function tap(y: number, z: number): Shape {
  return shape(
    rod(STEEL, [0, y, z], [0, y + 0.2, z], 0.018, 8),
    rod(STEEL, [0, y + 0.2, z], [0, y + 0.17, z + 0.17], 0.016, 8),
    ...[-1, 1].map((side) => cylinder(side < 0 ? 0xd23a3a : 0x3a7fd2, 0.02, 0.05, [side * 0.09, y, z])),
  );
}

/** A rectangular trough: four walls around a bottom. */
function trough(color: number, inside: number, [w, d]: readonly [number, number], bottom: number, rim: number): Shape {
  const wall = 0.035;
  return shape(
    ...[-1, 1].flatMap((side) => [
      box(color, [wall, rim - bottom, d], [(side * (w - wall)) / 2, bottom, 0]),
      box(color, [w, rim - bottom, wall], [0, bottom, (side * (d - wall)) / 2]),
    ]),
    box(inside, [w - wall, 0.006, d - wall], [0, bottom, 0]),
    cylinder(BLACK, 0.025, 0.003, [0, bottom + 0.006, 0]),
  );
}

function sinkBasin({ width, depth, y, standsAlone }: FurnitureLook): Furniture {
  const rim = y + 0.05;
  const bottom = standsAlone ? rim - 0.16 : rim - 0.035;
  const [w, d] = standsAlone ? [width, depth] : [0.5, 0.4];
  const foot = shape(
    box(0xdfe6ea, [w - 0.1, bottom, d - 0.1]),
    box(0xc8d3da, [w * 0.4, bottom * 0.7, 0.012], [-w * 0.21, 0.06, d / 2 - 0.05]),
    box(0xc8d3da, [w * 0.4, bottom * 0.7, 0.012], [w * 0.21, 0.06, d / 2 - 0.05]),
  );
  return {
    shape: shape(trough(CHINA, 0x9fc3d6, [w, d], bottom, rim), tap(rim - 0.01, -d / 2 + 0.03), standsAlone ? foot : []),
    rest: { y: bottom + 0.008, at: [0, 0.05], size: [w - 0.24, d - 0.26] },
  };
}

function bathtub({ width, depth, y }: FurnitureLook): Furniture {
  const rim = Math.max(0.45, y + 0.2);
  return {
    shape: shape(
      box(CHINA, [width, 0.14, depth]),
      trough(CHINA, 0xa9d4e6, [width, depth], 0.14, rim),
      move(turn(tap(0, 0), [0, Math.PI / 2, 0]), [-width / 2 + 0.02, rim, 0]),
    ),
    rest: { y: 0.15, at: [0.1, 0.1], size: [width - 0.5, depth - 0.4] },
  };
}

function toilet({ depth }: FurnitureLook): Furniture {
  const back = -depth / 2;
  const bowl = turned(
    CHINA,
    [
      [0, 0],
      [0.13, 0],
      [0.11, 0.2],
      [0.2, 0.38],
      [0.2, 0.4],
      [0.14, 0.4],
    ],
    16,
  );
  const water = turned(
    0x6fb0d0,
    [
      [0.14, 0.4],
      [0.1, 0.32],
      [0, 0.32],
    ],
    16,
  );
  return {
    shape: shape(
      move(shape(bowl, water, ring(0xdfe3e6, 0.17, 0.025, [0, 0.41, 0], 16)), [0, 0, back + 0.48]),
      box(CHINA, [0.26, 0.4, 0.3], [0, 0, back + 0.2]),
      box(CHINA, [0.44, 0.4, 0.2], [0, 0.36, back + 0.1]),
      box(0xe4e8ea, [0.47, 0.03, 0.23], [0, 0.76, back + 0.115]),
      box(STEEL, [0.06, 0.02, 0.02], [-0.15, 0.68, back + 0.21]),
    ),
    rest: { y: 0.79, at: [0, back + 0.13], size: [0.36, 0.1], tone: 0xe4e8ea },
  };
}

/** A bar on two brackets at the wall, at the height in the id. */
function bar({ depth, y: low, standsAlone }: FurnitureLook, width: number, color: number): Furniture {
  const back = -depth / 2;
  // In generated households the agent looks straight ahead at a high one.
  const y = standsAlone && low > 1.1 ? low + 0.37 : low;
  return {
    shape: shape(
      rod(color, [-width / 2, y, back + 0.07], [width / 2, y, back + 0.07], 0.012, 8),
      ...[-1, 1].map((side) =>
        shape(
          box(color, [0.03, 0.03, 0.08], [(side * width) / 2, y - 0.015, back + 0.04]),
          box(0x8d959d, [0.06, 0.08, 0.015], [(side * width) / 2, y - 0.04, back + 0.008]),
        ),
      ),
    ),
    rest: { y, at: [0, back + 0.07], size: [0.02, 0.01], hanging: true },
  };
}

function handTowelRing({ depth, y: low, standsAlone }: FurnitureLook): Furniture {
  const back = -depth / 2;
  const y = standsAlone ? low + 0.3 : low;
  return {
    shape: shape(
      move(turn(ring(0xc9a24a, 0.1, 0.011), [Math.PI / 2, 0, 0]), [0, y - 0.06, back + 0.06]),
      box(0xc9a24a, [0.06, 0.06, 0.06], [0, y + 0.01, back + 0.03]),
      ball(0xc9a24a, [0.02, 0.02, 0.02], [0, y + 0.04, back + 0.06]),
    ),
    rest: { y: y - 0.14, at: [0, back + 0.06], size: [0.02, 0.01], hanging: true },
  };
}

export const PLUMBING: FurnitureModels = {
  bathtubbasin: bathtub,
  handtowelholder: handTowelRing,
  sinkbasin: sinkBasin,
  toilet,
  toiletpaperhanger: (look) => bar(look, 0.16, STEEL),
  towelholder: (look) => bar(look, look.standsAlone ? 0.42 : Math.max(0.5, look.width - 0.1), STEEL),
};
