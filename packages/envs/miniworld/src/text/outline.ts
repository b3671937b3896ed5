/** The outline of entities and walls in the agent's picture, column by column, without drawing. */
import type { Agent, Looks } from '../world/entity.js';
import { meshExtents } from '../world/mesh-extents.js';
import { type WallPiece, wallPieces } from '../world/walls.js';
import type { World } from '../world/world.js';

/** Columns and rows of the picture that a description stands for: the default observation. */
export const COLUMNS = 80;
export const ROWS = 60;

/** The camera, with the picture at distance 1: half its width and height. */
export interface Eye {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly direction: number;
  /** Radians, positive upward. */
  readonly pitch: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/** A ray in the floor plan; its parameter is the distance along the view axis in meters. */
export interface Ray {
  readonly x: number;
  readonly z: number;
  readonly dx: number;
  readonly dz: number;
}

/** The part of a column that something covers: rows from the middle, positive upward. */
export interface Span {
  /** Distance along the view axis. */
  readonly depth: number;
  readonly low: number;
  readonly high: number;
}

export function eyeOf(agent: Agent, aspect: number): Eye {
  const halfHeight = Math.tan((agent.camFovY * Math.PI) / 360);
  return {
    x: agent.x + agent.camFwdDisp * Math.cos(agent.direction),
    y: agent.y + agent.camHeight,
    z: agent.z - agent.camFwdDisp * Math.sin(agent.direction),
    direction: agent.direction,
    pitch: (agent.camPitch * Math.PI) / 180,
    halfWidth: halfHeight * aspect,
    halfHeight,
  };
}

/** @param across  Place in the picture from -1, its left edge, to 1, its right edge. */
export function rayAt({ x, z, direction, halfWidth }: Eye, across: number): Ray {
  const [cos, sin, right] = [Math.cos(direction), Math.sin(direction), across * halfWidth];
  return { x, z, dx: cos + right * sin, dz: -sin + right * cos };
}

/** Meters: the floor area along the entity's own axes, and its lowest and highest point. */
interface Block {
  readonly minX: number;
  readonly maxX: number;
  readonly halfZ: number;
  readonly low: number;
  readonly high: number;
}

/** Balls, cones and ducks are narrower than their extents over most of their height. */
const MESH_SHARE = 0.7;

function blockOf(looks: Looks, y: number): Block | undefined {
  switch (looks.kind) {
    case 'none':
      return undefined;
    case 'box': {
      const [width, height, depth] = looks.size;
      return { minX: -width / 2, maxX: width / 2, halfZ: depth / 2, low: y, high: y + height };
    }
    case 'mesh': {
      const [x, height, z] = meshExtents(looks.mesh);
      const half = MESH_SHARE * looks.scale;
      return { minX: -half * x, maxX: half * x, halfZ: half * z, low: y, high: y + height * looks.scale };
    }
    default: {
      const width = looks.kind === 'text' ? looks.text.length * looks.height : looks.width;
      const half = looks.height / 2;
      return { minX: 0, maxX: looks.depth, halfZ: width / 2, low: y - half, high: y + half };
    }
  }
}

/** An entity or a wall, as what it covers of the column of a ray. */
export type Outline = (ray: Ray) => Span | undefined;

/** `undefined` for an invisible entity. */
export function entityOutline(
  eye: Eye,
  looks: Looks,
  { x, y, z, direction }: { readonly x: number; readonly y: number; readonly z: number; readonly direction: number },
): Outline | undefined {
  const block = blockOf(looks, y);
  if (!block) return undefined;
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)];
  const fromX = (eye.x - x) * cos - (eye.z - z) * sin;
  const fromZ = (eye.x - x) * sin + (eye.z - z) * cos;
  // frames have no back
  if ((looks.kind === 'image' || looks.kind === 'text') && fromX <= 0) return undefined;
  return ({ dx, dz }) => {
    const [nearX, farX] = slab(fromX, dx * cos - dz * sin, block.minX, block.maxX);
    const [nearZ, farZ] = slab(fromZ, dx * sin + dz * cos, -block.halfZ, block.halfZ);
    const [near, far] = [Math.max(nearX, nearZ, CLOSEST), Math.min(farX, farZ)];
    return near < far ? span(eye, near, far, block) : undefined;
  };
}

/** Nothing is drawn closer to the camera, in meters. */
const CLOSEST = 0.04;

const pieces = new WeakMap<World, readonly WallPiece[]>();

function piecesOf(world: World): readonly WallPiece[] {
  const found = pieces.get(world) ?? world.rooms.flatMap(wallPieces);
  pieces.set(world, found);
  return found;
}

/** The walls, also those above and below openings, and their outlines. */
export function wallOutlines(world: World, eye: Eye): Outline[] {
  return piecesOf(world).map((piece) => (ray) => {
    const depth = crossing(ray, piece);
    return depth === undefined ? undefined : span(eye, depth, depth, piece);
  });
}

/** Distance along a ray at which the first wall at the height of the eye crosses it; infinite without one. */
export function wallAhead(world: World, eye: Eye, ray: Ray): number {
  const depths = piecesOf(world).flatMap((piece) => {
    const isAtEye = piece.low <= eye.y && piece.high >= eye.y;
    return (isAtEye ? crossing(ray, piece) : undefined) ?? [];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...depths) * Math.hypot(ray.dx, ray.dz);
}

function crossing({ x, z, dx, dz }: Ray, { startX, startZ, endX, endZ }: WallPiece): number | undefined {
  const [ex, ez, ax, az] = [endX - startX, endZ - startZ, startX - x, startZ - z];
  const cross = dx * ez - dz * ex;
  if (cross === 0) return undefined;
  const [depth, share] = [(ax * ez - az * ex) / cross, (ax * dz - az * dx) / cross];
  return depth > CLOSEST && share >= 0 && share <= 1 ? depth : undefined;
}

/** Where a ray enters and leaves the strip between two parallel lines. */
function slab(from: number, step: number, low: number, high: number): readonly [near: number, far: number] {
  if (step === 0) return from >= low && from <= high ? [-Infinity, Infinity] : [Infinity, -Infinity];
  const [a, b] = [(low - from) / step, (high - from) / step];
  return a < b ? [a, b] : [b, a];
}

function span(
  { y, pitch, halfHeight }: Eye,
  near: number,
  far: number,
  { low, high }: { readonly low: number; readonly high: number },
): Span {
  const row = (height: number, depth: number) =>
    (Math.tan(Math.atan((height - y) / depth) - pitch) * ROWS) / (2 * halfHeight);
  return { depth: near, low: Math.min(row(low, near), row(low, far)), high: Math.max(row(high, near), row(high, far)) };
}
