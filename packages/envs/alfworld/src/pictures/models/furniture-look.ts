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
}

/**
 * Height of the agent's eye, meters. In generated households the agent looks up at furniture of about this height, so it
 * is drawn no lower, to keep its contents in the picture.
 */
export const EYE_LEVEL = 1.65;

/** Where objects rest on it or in it. */
export interface Rest {
  readonly y: number;
  /** Middle of the free area. */
  readonly at: readonly [x: number, z: number];
  readonly size: readonly [width: number, depth: number];
  /** Objects hang down from here. */
  readonly hanging?: boolean;
}

/** Origin: the middle of its footprint on the floor; front towards +z. */
export interface Furniture {
  readonly shape: Shape;
  readonly rest: Rest;
}

export type FurnitureModels = Readonly<Record<string, (look: FurnitureLook) => Furniture>>;

/** Rests objects on the whole top, less a margin. */
export function onTop({ width, depth, surface }: FurnitureLook, margin = 0.08): Rest {
  return { y: surface, at: [0, 0], size: [Math.max(0.05, width - 2 * margin), Math.max(0.05, depth - 2 * margin)] };
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
    ...[-1, 1].map((side) => box(inside, [0.004, h - 2 * wall, d - wall], [side * (w / 2 - wall), base + wall, 0])),
  );
}

/** A door in front of a carcass, hinged at its left edge. */
export function door(panel: Shape, width: number, depth: number, open: boolean): Shape {
  const hinged = move(panel, [width / 2, 0, 0]);
  return move(open ? turn(hinged, [0, -1.9, 0]) : hinged, [-width / 2, 0, depth / 2]);
}
