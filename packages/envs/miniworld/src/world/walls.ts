/**
 * From rooms to walls: the pieces between, below and above portals, and the segments one cannot walk through.
 *
 * Pieces come in the order of the original (`Room._gen_static_data`), which also decides how rounding falls: a piece
 * whose ends differ in the last bit only is kept.
 */
import type { Room } from './room.js';

/** One rectangle of wall; it runs from `start` to `end` along its edge and from `low` to `high`. */
export interface WallPiece {
  readonly startX: number;
  readonly startZ: number;
  readonly endX: number;
  readonly endZ: number;
  /** Meters along the edge at which the piece begins; textures are laid out from the edge's first point. */
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

/** Segments that stop whoever walks: four numbers each, `ax, az, bx, bz`. */
export function wallSegments(rooms: readonly Room[]): Float64Array {
  const blocking = rooms.flatMap((room) => wallPieces(room).filter(({ low }) => low === 0));
  const segments = new Float64Array(4 * blocking.length);
  for (const [index, { startX, startZ, endX, endZ }] of blocking.entries()) {
    segments.set([endX, endZ, startX, startZ], 4 * index);
  }
  return segments;
}

/** True where a circle around (x, z) reaches a segment; radius exclusive. */
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
