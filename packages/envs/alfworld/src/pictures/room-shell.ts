/** Floor, walls, and ceiling of the room. */
import type { FloorPlan, Room } from './floor-plan.js';
import { type Cast, cast } from './gallery.js';
import { box, type Piece, shape } from './models/solids.js';
import { cuts, type Footprint, lightAt, near, upwards } from './shadows.js';

const WALLS: Readonly<Record<Room['room'], readonly number[]>> = {
  kitchen: [0xe9e2c8, 0xd8e4d2, 0xe6d9d0],
  livingroom: [0xdcd3e0, 0xe4dcc6, 0xcfdbe2],
  bedroom: [0xc9d9e8, 0xe8d6cf, 0xd7e0c9],
  bathroom: [0xcfe6e6, 0xdfe6ee, 0xe6e0ea],
};
/** Meters. */
const WALL_THICKNESS = 0.1;

/** Four walls with skirting boards, and a ceiling, as boxes around a room of the plan. */
export function walls({ low, high, room }: Room, { ceiling, things }: FloorPlan): Cast {
  const colors = WALLS[room];
  const color = colors[things.length % colors.length]!;
  const [w, d] = [high[0] - low[0], high[1] - low[1]];
  const [x, z] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const side = (tone: number, height: number, inward: number) => [
    box(tone, [w + 2 * WALL_THICKNESS, height, WALL_THICKNESS], [x, 0, low[1] - WALL_THICKNESS / 2 + inward]),
    box(tone, [w + 2 * WALL_THICKNESS, height, WALL_THICKNESS], [x, 0, high[1] + WALL_THICKNESS / 2 - inward]),
    box(tone, [WALL_THICKNESS, height, d + 2 * WALL_THICKNESS], [low[0] - WALL_THICKNESS / 2 + inward, 0, z]),
    box(tone, [WALL_THICKNESS, height, d + 2 * WALL_THICKNESS], [high[0] + WALL_THICKNESS / 2 - inward, 0, z]),
  ];
  return cast(
    shape(
      ...side(color, ceiling, 0),
      ...side(0xf7f4ee, 0.09, 0.015),
      box(0xf4f2ec, [w, WALL_THICKNESS, d], [x, ceiling, z]),
    ),
  );
}

interface Covering {
  /** Meters along x and z. */
  readonly size: readonly [number, number];
  readonly colors: readonly number[];
  /** Color between the pieces. */
  readonly gap: number;
  /** Offset of each row from the one before, in pieces. */
  readonly shift: number;
}

const FLOORS: Readonly<Record<Room['room'], Covering>> = {
  kitchen: { size: [0.5, 0.5], colors: [0xd6c4a8, 0xc6b296], gap: 0x968670, shift: 0.5 },
  livingroom: { size: [1.2, 0.2], colors: [0xb08052, 0xa87848, 0xb8875a], gap: 0x785230, shift: 0.37 },
  bedroom: { size: [1.2, 0.25], colors: [0xcaa476, 0xc39b6b, 0xd0ac80], gap: 0x96724a, shift: 0.37 },
  bathroom: { size: [0.25, 0.25], colors: [0xdee8ec, 0xbacedc], gap: 0x96a8b2, shift: 0 },
};
const GAP = 0.012;

/** Tiles or planks over a ground of another color, darker around what stands on them. */
export function floor({ low, high, room }: Room, footprints: readonly Footprint[]): Cast {
  const { size, colors, gap, shift } = FLOORS[room];
  const pieces = colors.map(() => ({ positions: [] as number[], shades: [] as number[] }));
  const rows = Math.ceil((high[1] - low[1]) / size[1]);
  const columns = Math.ceil((high[0] - low[0]) / size[0]) + 1;
  for (let row = 0; row < rows; row += 1) {
    const offset = (row * shift) % 1;
    for (let column = 0; column < columns; column += 1) {
      const left = Math.max(low[0], low[0] + (column - offset) * size[0] + GAP / 2);
      const right = Math.min(high[0], low[0] + (column + 1 - offset) * size[0] - GAP / 2);
      const back = low[1] + row * size[1] + GAP / 2;
      const front = Math.min(high[1], back + size[1] - GAP);
      if (right - left < GAP || front - back < GAP) continue;
      const piece = pieces[(column + row * (colors.length === 2 ? 1 : 2)) % colors.length]!;
      const shadows = near([left, right, back, front], footprints);
      const [xs, zs] = [cuts(left, right, 0, shadows), cuts(back, front, 1, shadows)];
      for (let i = 1; i < xs.length; i += 1) {
        for (let j = 1; j < zs.length; j += 1) {
          const cell = flat(xs[i - 1]!, xs[i]!, zs[j - 1]!, zs[j]!, 0);
          piece.positions.push(...cell);
          for (let at = 0; at < cell.length; at += 3) piece.shades.push(lightAt(cell[at]!, cell[at + 2]!, shadows));
        }
      }
    }
  }
  const ground = flat(low[0], high[0], low[1], high[1], -0.002);
  const tiles = pieces.map(({ positions, shades }, index) => level(positions, colors[index]!, shades));
  return cast([level(ground, gap), ...tiles]);
}

function flat(left: number, right: number, back: number, front: number, y: number): number[] {
  const [a, b, c, d] = [
    [left, y, front],
    [right, y, front],
    [right, y, back],
    [left, y, back],
  ] as const;
  return [a, b, c, a, c, d].flat();
}

function level(positions: readonly number[], color: number, shades?: readonly number[]): Piece {
  return { positions, normals: upwards(positions), color, glows: false, ...(shades && { shades }) };
}
