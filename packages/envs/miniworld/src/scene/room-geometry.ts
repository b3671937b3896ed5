/**
 * Floors, ceilings and walls of all rooms, grouped by texture, so that a world of a hundred rooms has few meshes.
 *
 * Texture coordinates follow the original (`Room._gen_static_data`): walls by distance along the edge and height,
 * floors and ceilings by x and z, in meters divided by the meters that the texture covers; v = 0 is the bottom row.
 */
import { BufferAttribute, BufferGeometry } from 'three';
import type { Room } from '../world/room.js';
import { wallPieces } from '../world/walls.js';

/** Rooms per mesh; distant parts of a large maze can then be culled. */
const ROOMS_PER_MESH = 16;

export interface RoomMesh {
  readonly texture: string;
  readonly variant: number;
  readonly geometry: BufferGeometry;
}

/** Vertices of polygons with one normal per polygon; a polygon of n corners becomes n - 2 triangles. */
class PolygonList {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly uvs: number[] = [];
  readonly indices: number[] = [];

  constructor(
    readonly texture: string,
    readonly variant: number,
    readonly meters: readonly [number, number],
  ) {}

  add(
    corners: readonly (readonly [x: number, y: number, z: number, u: number, v: number])[],
    normal: readonly number[],
  ): void {
    const first = this.positions.length / 3;
    for (const [x, y, z, u, v] of corners) {
      this.positions.push(x, y, z);
      this.normals.push(...normal);
      this.uvs.push(u / this.meters[0], v / this.meters[1]);
    }
    for (let corner = 2; corner < corners.length; corner += 1) {
      this.indices.push(first, first + corner - 1, first + corner);
    }
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(this.positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(this.normals), 3));
    geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(this.uvs), 2));
    geometry.setIndex(this.indices);
    return geometry;
  }
}

/** @param metersOf  Meters that a texture covers. */
export function roomMeshes(
  rooms: readonly Room[],
  metersOf: (texture: string, variant: number) => readonly [number, number],
): RoomMesh[] {
  const meshes: RoomMesh[] = [];
  for (let start = 0; start < rooms.length; start += ROOMS_PER_MESH) {
    const lists = new Map<string, PolygonList>();
    const listOf = (texture: string, variant: number) => {
      const key = `${texture}_${variant}`;
      let list = lists.get(key);
      if (!list) {
        list = new PolygonList(texture, variant, metersOf(texture, variant));
        lists.set(key, list);
      }
      return list;
    };
    for (const room of rooms.slice(start, start + ROOMS_PER_MESH)) addRoom(room, listOf);
    for (const list of lists.values()) {
      meshes.push({ texture: list.texture, variant: list.variant, geometry: list.geometry() });
    }
  }
  return meshes;
}

function addRoom(room: Room, listOf: (texture: string, variant: number) => PolygonList): void {
  const { outline, variants, wallHeight } = room;
  listOf(room.floorTexture, variants.floor).add(
    outline.map(([x, z]) => [x, 0, z, x, z]),
    [0, 1, 0],
  );
  if (!room.noCeiling) {
    listOf(room.ceilingTexture, variants.ceiling).add(
      [...outline].reverse().map(([x, z]) => [x, wallHeight, z, x, z]),
      [0, -1, 0],
    );
  }
  const walls = listOf(room.wallTexture, variants.wall);
  for (const { startX, startZ, endX, endZ, start, width, low, high, normalX, normalZ } of wallPieces(room)) {
    walls.add(
      [
        [startX, low, startZ, start, low],
        [startX, high, startZ, start, high],
        [endX, high, endZ, start + width, high],
        [endX, low, endZ, start + width, low],
      ],
      [normalX, 0, normalZ],
    );
  }
}
