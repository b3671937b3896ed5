/** Parameters and results of models of receptacles. */
import { box, move, type Shape, shape, type Triple, turn } from './solids.js';

export interface FurnitureLook {
  /** Meters along the wall. */
  readonly width: number;
  /** Meters from the wall into the room. */
  readonly depth: number;
  /** Height in the id, above the floor. */
  readonly y: number;
  /** Height at which objects rest, if the class does not fix it. */
  readonly surface: number;
  /** Always true for furniture that cannot be closed. */
  readonly open: boolean;
  /** It stands on the floor, with its own foot or body. */
  readonly standsAlone: boolean;
  /** Drawers or cabinets are built in: it has a frame and no front. */
  readonly hollow: boolean;
  /** Their positions: meters along the front, and above the floor. */
  readonly fronts?: readonly (readonly [left: number, right: number, low: number, high: number])[] | undefined;
  /** Its door swings to the right. */
  readonly hingedRight?: boolean | undefined;
}

/**
 * Height of the agent's eye, meters. In generated households the agent looks up at furniture of about this height, so it
 * is drawn no lower, to keep its contents in the picture.
 */
export const EYE_LEVEL = 1.65;

/** Surfaces and spaces for objects. */
export interface Rest {
  readonly y: number;
  /** Middle of the free area. */
  readonly at: readonly [x: number, z: number];
  readonly size: readonly [width: number, depth: number];
  /** Objects hang down from here. */
  readonly hanging?: boolean;
  /** Color of the flat surface on which objects cast shadows. */
  readonly tone?: number;
}

/** Origin: the middle of its footprint on the floor; front towards +z. */
export interface Furniture {
  readonly shape: Shape;
  readonly rest: Rest;
}

export type FurnitureModels = Readonly<Record<string, (look: FurnitureLook) => Furniture>>;

/** Rests objects on the whole top, less a margin. */
export function onTop({ width, depth, surface }: FurnitureLook, tone: number, margin = 0.08): Rest {
  const size = [Math.max(0.05, width - 2 * margin), Math.max(0.05, depth - 2 * margin)] as const;
  return { y: surface, at: [0, 0], size, tone };
}

/** Four legs at the corners. */
export function legs(color: number, width: number, depth: number, height: number, thickness = 0.05): Shape {
  const [x, z] = [(width - thickness) / 2, (depth - thickness) / 2];
  return shape(
    ...[-1, 1].flatMap((left) =>
      [-1, 1].map((front) => box(color, [thickness, height, thickness], [left * x, 0, front * z])),
    ),
  );
}

/** Two sides and a back under a top, for built-in furniture. */
export function frame(color: number, width: number, depth: number, height: number): Shape {
  return shape(
    ...[-1, 1].map((side) => box(color, [0.03, height, depth - 0.04], [(side * (width - 0.03)) / 2, 0, -0.02])),
    box(color, [width, height, 0.03], [0, 0, -depth / 2 + 0.015]),
  );
}

/** A carcass without a front: thin walls around a hollow; a plain block if the door is closed. */
export function carcass(color: number, inside: number, [w, h, d]: Triple, base: number, open: boolean): Shape {
  if (!open) return box(color, [w, h, d], [0, base, 0]);
  const wall = 0.02;
  return shape(
    ...[-1, 1].map((side) => box(color, [wall, h, d], [(side * (w - wall)) / 2, base, 0])),
    box(color, [w, wall, d], [0, base, 0]),
    box(color, [w, wall, d], [0, base + h - wall, 0]),
    box(color, [w, h, wall], [0, base, -(d - wall) / 2]),
    box(inside, [w - 2 * wall, h - 2 * wall, 0.004], [0, base + wall, -d / 2 + wall]),
    box(inside, [w - 2 * wall, 0.004, d - wall], [0, base + wall, 0]),
    box(inside, [w - 2 * wall, 0.004, d - wall], [0, base + h - wall - 0.004, 0]),
    ...[-1, 1].map((side) => box(inside, [0.004, h - 2 * wall, d - wall], [side * (w / 2 - wall), base + wall, 0])),
  );
}

/** A door in front of a carcass, hinged at its left edge, or at its right one. */
export function door(
  panel: Shape,
  width: number,
  depth: number,
  open: boolean,
  hingedRight = false,
  swing = 1.9,
): Shape {
  const side = hingedRight ? 1 : -1;
  const hinged = move(panel, [(-side * width) / 2, 0, 0]);
  return move(open ? turn(hinged, [0, side * swing, 0]) : hinged, [(side * width) / 2, 0, depth / 2]);
}

/**
 * The front of built-in furniture around what is built in: panels next to, below and above it, and a plinth.
 *
 * @param top  Lower edge of the table top.
 */
export function panels(
  color: number,
  [width, depth]: readonly [number, number],
  top: number,
  fronts: NonNullable<FurnitureLook['fronts']>,
): Shape {
  const PLINTH = 0.1;
  const edges = fronts.flatMap((front) => front.slice(0, 2));
  const cuts = [-width / 2, ...edges.filter((x) => Math.abs(x) < width / 2), width / 2].sort((a, b) => a - b);
  const columns = cuts.slice(1).flatMap((right, index) => {
    const left = cuts[index]!;
    if (right - left < 0.02) return [];
    const middle = (left + right) / 2;
    const taken = fronts.filter((front) => front[0] < middle && middle < front[1]);
    const free =
      taken.length === 0
        ? [[PLINTH, top]]
        : [
            [PLINTH, Math.min(...taken.map(([, , low]) => low)) - 0.005],
            [Math.max(...taken.map(([, , , high]) => high)) + 0.005, top],
          ];
    return free.flatMap(([low, high]) =>
      high! - low! < 0.03 ? [] : box(color, [right - left, high! - low!, 0.02], [middle, low!, depth / 2 - 0.04]),
    );
  });
  return shape(columns, box(0x2a2b30, [width - 0.04, PLINTH, 0.02], [0, 0, depth / 2 - 0.1]));
}
