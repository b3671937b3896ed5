/**
 * The walls of rooms: the pieces between, below and above portals, and the segments that block walking.
 *
 * Pieces are in the order of the original (`Room._gen_static_data`), with the same rounding: a piece whose ends differ
 * only in the last bit is kept.
 */
import type { Room } from './room.js';

/** A rectangle of wall, of `width` from `start` along its edge, and from `low` to `high`. */
export interface WallPiece {
  readonly startX: number;
  readonly startZ: number;
  readonly endX: number;
  readonly endZ: number;
  /** Start of the piece along the edge in meters; textures start at the edge's first point. */
  readonly start: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
  /** Unit vector into the room. */
  readonly normalX: number;
  readonly normalZ: number;
}

export function wallPieces(room: Room): WallPiece[] {
  const pieces: WallPiece[] = [];
  for (const edge of room.edges) {
    const add = (start: number, end: number, low: number, high: number) => {
      if (start === end || low === high) return;
      pieces.push({
        startX: edge.x + start * edge.directionX,
        startZ: edge.z + start * edge.directionZ,
        endX: edge.x + end * edge.directionX,
        endZ: edge.z + end * edge.directionZ,
        start,
        width: end - start,
        low,
        high,
        normalX: edge.normalX,
        normalZ: edge.normalZ,
      });
    };
    const { portals, length } = edge;
    add(0, portals[0]?.start ?? length, 0, room.wallHeight);
    for (const [index, { start, end, minY, maxY }] of portals.entries()) {
      add(start, end, 0, minY);
      add(start, end, maxY, room.wallHeight);
      add(end, portals[index + 1]?.start ?? length, 0, room.wallHeight);
    }
  }
  return pieces;
}

/** Segments that block walking, four numbers per segment: `ax, az, bx, bz`. */
export function wallSegments(rooms: readonly Room[]): Float64Array {
  const blocking = rooms.flatMap((room) => wallPieces(room).filter(({ low }) => low === 0));
  const segments = new Float64Array(4 * blocking.length);
  for (const [index, { startX, startZ, endX, endZ }] of blocking.entries()) {
    segments.set([endX, endZ, startX, startZ], 4 * index);
  }
  return segments;
}

/** True if a segment is closer to (x, z) than `radius`. */
export function touchesWall(segments: Float64Array, x: number, z: number, radius: number): boolean {
  for (let index = 0; index < segments.length; index += 4) {
    const ax = segments[index]!;
    const az = segments[index + 1]!;
    const abX = segments[index + 2]! - ax;
    const abZ = segments[index + 3]! - az;
    const along = ((x - ax) * abX + (z - az) * abZ) / (abX * abX + abZ * abZ);
    const share = Math.min(Math.max(along, 0), 1);
    const dx = ax + share * abX - x;
    const dz = az + share * abZ - z;
    if (Math.sqrt(dx * dx + dz * dz) < radius) return true;
  }
  return false;
}
