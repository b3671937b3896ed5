/**
 * Meshes as lists of simple parts, independent of three.js. `scene/mesh-geometry.ts` turns parts into triangles and
 * stretches the mesh to the extents that the dynamics use.
 *
 * Balls, keys, medkits, cones, the duck and the building are our own shapes after the descriptions in
 * `docs/specs/miniworld.md`, sections 5 and 11; the original's models are not used.
 */
import { COLORS, type ColorName } from '../world/colors.js';
import { addMeshExtents, type MeshExtents } from '../world/mesh-extents.js';
import type { Triple } from '../world/parameters.js';

export type PartShape =
  /** From -1 to 1 on every axis before `scale`. */
  | 'box'
  /** Radius 1. */
  | 'sphere'
  /** Radius 1, from -1 to 1 in y; `top` changes the radius of the upper end. */
  | 'cylinder'
  /** In the y-z plane, outer radius 1, square profile. */
  | 'ring';

export interface Part {
  readonly shape: PartShape;
  readonly at?: Triple;
  readonly scale?: Triple;
  /** Radians about x, y and z. */
  readonly turn?: Triple;
  readonly color: Triple;
  /** Radius of a cylinder's upper end, default 1. */
  readonly top?: number;
  /** Number of corners of a cylinder or ring; default 16. */
  readonly corners?: number;
  /** A generated texture of this package, multiplied by `color`. */
  readonly texture?: 'facade';
  /** Repetitions of the texture across and up. */
  readonly repeat?: readonly [number, number];
}

export interface MeshModel {
  readonly parts: readonly Part[];
  /**
   * - `paint`: colors are a texture on a white mesh, so light never makes them brighter.
   * - `material`: the material has the color, as for balls and keys. Small meshes are over-lit, as in the original.
   */
  readonly coloring: 'paint' | 'material';
}

const models = new Map<string, MeshModel>();

/** The model of a mesh; undefined for an unknown name. */
export function meshModel(name: string): MeshModel | undefined {
  return models.get(name) ?? BUILT_IN[name];
}

/**
 * Defines a mesh for `new MeshEntity({ mesh: name, height })`.
 *
 * @param extents  Largest x, height and largest z, in any unit: only proportions matter. The parts are stretched to them,
 *                 and the entity's radius reaches to the corner in x and z.
 * @throws {WorldError}  The name exists, or the extents are not positive.
 */
export function defineMesh(name: string, extents: MeshExtents, parts: readonly Part[]): void {
  addMeshExtents(name, extents);
  models.set(name, { parts, coloring: 'paint' });
}

function ball(color: Triple): readonly Part[] {
  return [{ shape: 'sphere', color }];
}

/** Standing on edge: ring and shaft lie in the y-z plane. */
function key(color: Triple): readonly Part[] {
  return [
    { shape: 'ring', corners: 8, at: [0, 1, -1.42], scale: [0.4, 1, 1], color },
    { shape: 'box', at: [0, 1, 1], scale: [0.22, 0.22, 1.42], color },
    { shape: 'box', at: [0, 0.6, 2.2], scale: [0.22, 0.3, 0.2], color },
    { shape: 'box', at: [0, 0.65, 1.45], scale: [0.22, 0.25, 0.2], color },
  ];
}

const WHITE: Triple = [1, 1, 1];
const MEDKIT_RED: Triple = [0.55, 0.08, 0.1];
const ORANGE: Triple = [0.93, 0.46, 0.02];
const RUBBER: Triple = [0.17, 0.17, 0.17];
const DUCK: Triple = [0.96, 0.82, 0.1];
const BEAK: Triple = [0.95, 0.45, 0.05];
const INK: Triple = [0.06, 0.06, 0.06];

const medkit: readonly Part[] = [
  { shape: 'box', at: [0, 21, 0], scale: [28, 21, 15.4], color: MEDKIT_RED },
  { shape: 'box', at: [0, 50, 0], scale: [9, 1.2, 3], color: MEDKIT_RED },
  { shape: 'box', at: [-8, 46, 0], scale: [1.2, 4.5, 3], color: MEDKIT_RED },
  { shape: 'box', at: [8, 46, 0], scale: [1.2, 4.5, 3], color: MEDKIT_RED },
  ...([1, -1] as const).flatMap((side): Part[] => [
    { shape: 'box', at: [0, 21, side * 15.4], scale: [2, 6, 0.2], color: WHITE },
    { shape: 'box', at: [0, 21, side * 15.4], scale: [6, 2, 0.22], color: WHITE },
  ]),
];

/** A band of the cone; its radius is proportional to the remaining height. */
function coneBand(from: number, to: number, color: Triple): Part {
  const radius = (y: number) => 6.2 * (1 - (y - 2) / 31) + 0.6;
  return {
    shape: 'cylinder',
    at: [0, (from + to) / 2, 0],
    scale: [radius(from), (to - from) / 2, radius(from)],
    top: radius(to) / radius(from),
    corners: 16,
    color,
  };
}

const cone: readonly Part[] = [
  { shape: 'cylinder', corners: 8, at: [0, 1, 0], scale: [10.8, 1, 10.8], turn: [0, Math.PI / 8, 0], color: RUBBER },
  coneBand(2, 9, ORANGE),
  coneBand(9, 21, [0.88, 0.88, 0.9]),
  coneBand(21, 31.5, ORANGE),
];

/** Faces +x. */
const duckie: readonly Part[] = [
  { shape: 'sphere', at: [-0.05, 0.5, 0], scale: [0.75, 0.5, 0.56], color: DUCK },
  { shape: 'sphere', at: [0.3, 1.08, 0], scale: [0.43, 0.43, 0.4], color: DUCK },
  { shape: 'sphere', at: [-0.68, 0.75, 0], scale: [0.2, 0.2, 0.25], color: DUCK },
  { shape: 'sphere', at: [0.72, 1, 0], scale: [0.16, 0.06, 0.2], color: BEAK },
  ...([1, -1] as const).flatMap((side): Part[] => [
    { shape: 'sphere', at: [0.55, 1.2, side * 0.26], scale: [0.1, 0.12, 0.08], color: WHITE },
    { shape: 'sphere', at: [0.63, 1.2, side * 0.28], scale: [0.05, 0.06, 0.05], color: INK },
  ]),
];

/** L-shaped from above; the side that most rooms see is a single face. */
const building: readonly Part[] = [
  { at: [1.235, 1.725, 0], scale: [0.605, 1.725, 1.22] } as const,
  { at: [-0.605, 1.725, -0.61], scale: [1.235, 1.725, 0.61] } as const,
].map((wing) => ({ ...wing, shape: 'box', color: WHITE, texture: 'facade', repeat: [1, 14] }));

const painted = (parts: readonly Part[]): MeshModel => ({ parts, coloring: 'paint' });
const colored = (parts: readonly Part[]): MeshModel => ({ parts, coloring: 'material' });

const BUILT_IN: Readonly<Record<string, MeshModel>> = {
  medkit: painted(medkit),
  cone: painted(cone),
  duckie: painted(duckie),
  building: painted(building),
  ...Object.fromEntries(
    Object.entries(COLORS).flatMap(([name, color]) => [
      [`ball_${name as ColorName}`, colored(ball(color))],
      [`key_${name as ColorName}`, colored(key(color))],
    ]),
  ),
};
