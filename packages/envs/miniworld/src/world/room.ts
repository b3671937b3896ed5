/**
 * Rooms: a convex outline seen from above, walls with portals, and textures.
 *
 * Geometry follows `Farama-Foundation/Miniworld`, class `Room` in `miniworld/miniworld.py`, operation by operation, so
 * that every coordinate agrees with the original to the last bit. Outlines are counterclockwise seen from above (x to
 * the right, z toward the viewer); edge i goes from point i to point i + 1, and its normal points inward.
 */
import { WorldError } from './errors.js';
import { textureVariants } from './texture-names.js';

/** A point of the floor plan, in meters. */
export type PlanPoint = readonly [x: number, z: number];

export interface RoomSurface {
  /** Meters; default 2.74. */
  readonly wallHeight?: number | undefined;
  readonly wallTexture?: string | undefined;
  readonly floorTexture?: string | undefined;
  readonly ceilingTexture?: string | undefined;
  /** True to show the sky. */
  readonly noCeiling?: boolean | undefined;
}

export interface RoomOptions extends RoomSurface {
  readonly outline: readonly PlanPoint[];
}

/** The opening of a portal, in meters along the edge and above the floor. */
export interface Portal {
  readonly start: number;
  readonly end: number;
  readonly minY: number;
  readonly maxY: number;
}

/** Part of a wall, given by distances along the edge or by the x or z coordinates of its ends. */
export interface PortalOptions {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly minX?: number | undefined;
  readonly maxX?: number | undefined;
  readonly minZ?: number | undefined;
  readonly maxZ?: number | undefined;
  readonly minY?: number | undefined;
  readonly maxY?: number | undefined;
}

export interface Edge {
  readonly x: number;
  readonly z: number;
  readonly length: number;
  /** Unit vector along the edge. */
  readonly directionX: number;
  readonly directionZ: number;
  /** Unit vector into the room. */
  readonly normalX: number;
  readonly normalZ: number;
  readonly portals: Portal[];
}

/** The texture variants of a room, from 1. */
export interface TextureChoice {
  wall: number;
  floor: number;
  ceiling: number;
}

const DEFAULT_WALL_HEIGHT = 2.74;

/** Tolerance in meters at the ends of a wall, for rounding of computed coordinates. */
const ROUNDING = 1e-9;

export class Room {
  readonly outline: readonly PlanPoint[];
  readonly edges: readonly Edge[];
  readonly wallHeight: number;
  readonly wallTexture: string;
  readonly floorTexture: string;
  readonly ceilingTexture: string;
  readonly noCeiling: boolean;
  readonly minX: number;
  readonly maxX: number;
  readonly minZ: number;
  readonly maxZ: number;
  /** Area of the bounding box, for any outline; rooms are chosen with probability proportional to it. */
  readonly area: number;
  readonly variants: TextureChoice = { wall: 1, floor: 1, ceiling: 1 };

  /**
   * The outline is not checked; see `checkOutline`.
   *
   * @throws {WorldError}           Invalid wall height.
   * @throws {UnknownTextureError}
   */
  constructor({
    outline,
    wallHeight = DEFAULT_WALL_HEIGHT,
    wallTexture = 'concrete',
    floorTexture = 'floor_tiles_bw',
    ceilingTexture = 'concrete_tiles',
    noCeiling = false,
  }: RoomOptions) {
    if (!(wallHeight > 0 && wallHeight <= 1000)) {
      throw new WorldError('Invalid wall height of a room.', wallHeight, 'meters, above 0 and at most 1000');
    }
    for (const name of [wallTexture, floorTexture, ceilingTexture]) textureVariants(name);
    this.outline = outline;
    this.wallHeight = wallHeight;
    this.wallTexture = wallTexture;
    this.floorTexture = floorTexture;
    this.ceilingTexture = ceilingTexture;
    this.noCeiling = noCeiling;
    const xs = outline.map(([x]) => x);
    const zs = outline.map(([, z]) => z);
    this.minX = Math.min(...xs);
    this.maxX = Math.max(...xs);
    this.minZ = Math.min(...zs);
    this.maxZ = Math.max(...zs);
    this.area = (this.maxX - this.minX) * (this.maxZ - this.minZ);
    this.edges = outline.map((point, index) => edgeBetween(point, outline[(index + 1) % outline.length]!));
  }

  /**
   * True strictly inside; a point on a wall is outside.
   *
   * @param margin  Meters by which the room is enlarged on every side.
   */
  contains(x: number, z: number, margin = 0): boolean {
    for (const edge of this.edges) {
      if (!(edge.normalX * (x - edge.x) + edge.normalZ * (z - edge.z) > -margin)) return false;
    }
    return true;
  }

  /**
   * Cuts an opening into wall `index`.
   *
   * @returns  Start and end in meters along the edge.
   * @throws {WorldError}  The wall does not exist or is perpendicular to the given axis, or the opening is empty, exceeds
   *                       the wall, or overlaps another.
   */
  addPortal(index: number, options: PortalOptions): readonly [start: number, end: number] {
    const edge = this.edges[index];
    if (!edge) throw new WorldError('Invalid wall index of a portal.', index, `0 to ${this.edges.length - 1}`);
    const [start, end] = portalInterval(edge, options);
    const { minY = 0, maxY = this.wallHeight } = options;
    const { wallHeight } = this;
    if (!(start >= -ROUNDING && end > start && end <= edge.length + ROUNDING)) {
      const wall = `0 <= start < end <= ${edge.length}, the length of the wall`;
      throw new WorldError('A portal does not fit its wall.', { start, end }, wall);
    }
    if (!(minY >= 0 && maxY > minY && maxY <= wallHeight)) {
      const wall = `0 <= minY < maxY <= ${wallHeight}, the height of the wall`;
      throw new WorldError('A portal does not fit its wall.', { minY, maxY }, wall);
    }
    const other = edge.portals.find((portal) => start < portal.end - ROUNDING && end > portal.start + ROUNDING);
    if (other) throw new WorldError('A portal overlaps another in its wall.', { start, end }, 'separate portals');
    edge.portals.push({ start, end, minY, maxY });
    edge.portals.sort((a, b) => a.start - b.start);
    return [start, end];
  }
}

/** @throws {WorldError}  The points do not form a convex outline, counterclockwise seen from above. */
export function checkOutline(outline: readonly PlanPoint[]): void {
  const count = outline?.length ?? 0;
  const at = (index: number) => outline[index % count]!;
  const isValid =
    count >= 3 &&
    outline.every((point) => point?.length === 2 && point.every((value) => Math.abs(value) <= 1e5)) &&
    outline.every((_, index) => {
      const [a, b, c] = [at(index), at(index + 1), at(index + 2)];
      // Every corner turns left, seen from above with z toward the viewer.
      return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) < 0;
    });
  if (!isValid) {
    throw new WorldError(
      'Invalid outline of a room.',
      outline,
      'three or more points [x, z] in meters, convex, counterclockwise seen from above',
      'for a rectangle use `addRoom({ minX, maxX, minZ, maxZ })`',
    );
  }
}

/** The corners of a rectangle in the order of the original: walls 0 to 3 face east, north, west and south. */
export function rectangle(minX: number, maxX: number, minZ: number, maxZ: number): readonly PlanPoint[] {
  return [
    [maxX, maxZ],
    [maxX, minZ],
    [minX, minZ],
    [minX, maxZ],
  ];
}

function edgeBetween([x, z]: PlanPoint, [nextX, nextZ]: PlanPoint): Edge {
  const length = Math.sqrt((nextX - x) * (nextX - x) + (nextZ - z) * (nextZ - z));
  const directionX = (nextX - x) / length;
  const directionZ = (nextZ - z) / length;
  return { x, z, length, directionX, directionZ, normalX: directionZ, normalZ: -directionX, portals: [] };
}

function portalInterval(edge: Edge, options: PortalOptions): [number, number] {
  const { start, end, minX, maxX, minZ, maxZ } = options;
  if (start !== undefined && end !== undefined) return [start, end];
  const along = (value: number, origin: number, direction: number) => (value - origin) / direction;
  let ends: [number, number] = [Number.NaN, Number.NaN];
  if (minX !== undefined && maxX !== undefined) {
    ends = [along(minX, edge.x, edge.directionX), along(maxX, edge.x, edge.directionX)];
  } else if (minZ !== undefined && maxZ !== undefined) {
    ends = [along(minZ, edge.z, edge.directionZ), along(maxZ, edge.z, edge.directionZ)];
  }
  if (!ends.every(Number.isFinite)) {
    throw new WorldError(
      'The position of a portal does not fit its wall.',
      options,
      'minX and maxX, minZ and maxZ, or start and end, along the direction of the wall',
    );
  }
  return ends[1] < ends[0] ? [ends[1], ends[0]] : ends;
}
