/** Geometries in a kernel's memory: read once, and again when a drawn part of them has changed. */
import type { BufferGeometry, GeometryGroup } from 'three';
import type { Allocator } from './allocator.js';
import { FLOATS, readTriangles, readVertices } from './geometry-reader.js';
import { GeometrySnapshot } from './geometry-snapshot.js';
import type { KernelMemory } from './kernel.js';
import { PRIMITIVE_BYTES } from './layout.js';
import { joinTriangles } from './primitives.js';
import { ResourceKeep } from './resource-keep.js';

/** Consecutive primitives with one material. */
export interface PrimitiveRange {
  readonly address: number;
  readonly count: number;
  /** The group when it was read. */
  readonly group: GeometryGroup;
}

export interface StoredGeometry {
  readonly vertices: number;
  readonly vertexCount: number;
  readonly hasColors: boolean;
  readonly ranges: readonly PrimitiveRange[];
}

interface Entry {
  readonly snapshot: GeometrySnapshot;
  /** The address of the vertices, then the addresses of primitives. */
  readonly addresses: number[];
  readonly vertexCount: number;
  /** For meshes with one material; read when the first such mesh is drawn. */
  whole?: StoredGeometry;
  /** For meshes with a list of materials. */
  grouped?: StoredGeometry;
}

/** The range of a mesh with one material, which ignores groups. */
const EVERYTHING: GeometryGroup = { start: 0, count: Number.POSITIVE_INFINITY, materialIndex: 0 };

export class GeometryStore {
  readonly #memory: KernelMemory;
  readonly #allocator: Allocator;
  readonly #keep: ResourceKeep<BufferGeometry, Entry>;

  constructor(memory: KernelMemory, allocator: Allocator) {
    this.#memory = memory;
    this.#allocator = allocator;
    this.#keep = new ResourceKeep(allocator);
  }

  /**
   * @param grouped  True for a mesh with a list of materials: one range per group, so no range without groups.
   * @throws {RenderError} UNREADABLE_GEOMETRY
   */
  get(geometry: BufferGeometry, grouped: boolean): StoredGeometry {
    let entry = this.#keep.get(geometry);
    if (!entry?.snapshot.isOf(geometry) || (grouped && !hasGroups(entry, geometry.groups))) {
      this.#keep.forget(geometry);
      entry = this.#keep.add(geometry, this.#storeVertices(geometry));
    }
    if (!grouped) {
      entry.whole ??= this.#storePrimitives(geometry, entry, [EVERYTHING]);
      return entry.whole;
    }
    entry.grouped ??= this.#storePrimitives(geometry, entry, geometry.groups);
    return entry.grouped;
  }

  clear(): void {
    this.#keep.clear();
  }

  #storeVertices(geometry: BufferGeometry): Entry {
    const records = readVertices(geometry);
    const address = this.#allocator.allocate(records.byteLength);
    this.#memory.f32.set(records, address >> 2);
    const snapshot = new GeometrySnapshot(geometry);
    return { snapshot, addresses: [address], vertexCount: records.length / FLOATS };
  }

  #storePrimitives(geometry: BufferGeometry, entry: Entry, groups: readonly GeometryGroup[]): StoredGeometry {
    const { vertexCount, addresses } = entry;
    const vertices = addresses[0]!;
    const records = this.#memory.f32.subarray(vertices >> 2, (vertices >> 2) + vertexCount * FLOATS);
    const parts = groups.map((group) => joinTriangles(records, FLOATS, readTriangles(geometry, group, vertexCount)));
    const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    let at = this.#allocator.allocate(bytes);
    addresses.push(at);
    const ranges = parts.map((primitives, index) => {
      const range = { address: at, count: primitives.byteLength / PRIMITIVE_BYTES, group: { ...groups[index]! } };
      this.#memory.i32.set(primitives, at >> 2);
      at += primitives.byteLength;
      return range;
    });
    return { vertices, vertexCount, hasColors: geometry.getAttribute('color') !== undefined, ranges };
  }
}

/** True if the entry was read with these groups, or has not been read by groups yet. */
function hasGroups({ grouped }: Entry, groups: readonly GeometryGroup[]): boolean {
  if (!grouped) return true;
  const { ranges } = grouped;
  if (ranges.length !== groups.length) return false;
  for (let index = 0; index < groups.length; index += 1) {
    const old = ranges[index]!.group;
    const now = groups[index]!;
    if (old.start !== now.start || old.count !== now.count || old.materialIndex !== now.materialIndex) return false;
  }
  return true;
}
