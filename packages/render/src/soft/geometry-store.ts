/** Geometries in a kernel's memory: read once, and again when an attribute's version has changed. */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { RenderError } from '../errors.js';
import type { Allocator } from './allocator.js';
import type { KernelMemory } from './kernel.js';
import { PRIMITIVE_BYTES, VERTEX_BYTES } from './layout.js';
import { joinTriangles } from './primitives.js';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** Consecutive primitives with one material. */
export interface PrimitiveRange {
  readonly address: number;
  readonly count: number;
  readonly materialIndex: number;
}

export interface StoredGeometry {
  readonly vertices: number;
  readonly vertexCount: number;
  readonly hasColors: boolean;
  readonly ranges: readonly PrimitiveRange[];
}

interface Entry {
  version: number;
  address: number;
  stored: StoredGeometry;
}

const FLOATS = VERTEX_BYTES >> 2;

export class GeometryStore {
  readonly #memory: KernelMemory;
  readonly #allocator: Allocator;
  readonly #entries = new WeakMap<BufferGeometry, Entry>();
  readonly #collected = new FinalizationRegistry<Entry>(({ address }) => this.#allocator.free(address));

  constructor(memory: KernelMemory, allocator: Allocator) {
    this.#memory = memory;
    this.#allocator = allocator;
  }

  /** @throws {RenderError} UNREADABLE_GEOMETRY */
  get(geometry: BufferGeometry): StoredGeometry {
    const version = versionOf(geometry);
    const known = this.#entries.get(geometry);
    if (known?.version === version) return known.stored;
    const uploaded = this.#upload(geometry);
    if (known) {
      this.#allocator.free(known.address);
      Object.assign(known, uploaded, { version });
    } else {
      const entry = { version, ...uploaded };
      this.#entries.set(geometry, entry);
      this.#collected.register(geometry, entry, geometry);
      geometry.addEventListener('dispose', () => this.#forget(geometry));
    }
    return uploaded.stored;
  }

  #forget(geometry: BufferGeometry): void {
    const entry = this.#entries.get(geometry);
    if (!entry) return;
    this.#entries.delete(geometry);
    this.#collected.unregister(geometry);
    this.#allocator.free(entry.address);
  }

  #upload(geometry: BufferGeometry): { address: number; stored: StoredGeometry } {
    const records = readVertices(geometry);
    const vertexCount = records.length / FLOATS;
    const groups = readTriangles(geometry, vertexCount).map(({ triangles, materialIndex }) => ({
      materialIndex,
      primitives: joinTriangles(records, FLOATS, triangles),
    }));
    const primitiveWords = groups.reduce((sum, { primitives }) => sum + primitives.length, 0);
    const vertexBytes = Math.ceil((vertexCount * VERTEX_BYTES) / 16) * 16;
    const address = this.#allocator.allocate(vertexBytes + primitiveWords * 4);
    this.#memory.f32.set(records, address >> 2);
    let at = address + vertexBytes;
    const ranges = groups.map(({ primitives, materialIndex }) => {
      const range = { address: at, count: (primitives.length * 4) / PRIMITIVE_BYTES, materialIndex };
      this.#memory.i32.set(primitives, at >> 2);
      at += primitives.length * 4;
      return range;
    });
    const hasColors = geometry.getAttribute('color') !== undefined;
    return { address, stored: { vertices: address, vertexCount, hasColors, ranges } };
  }
}

/** Changes whenever three.js would upload something again. */
function versionOf(geometry: BufferGeometry): number {
  const { position, normal, uv, color } = geometry.attributes as Record<string, Attribute | undefined>;
  const { start, count } = geometry.drawRange;
  let version = 1 + start * 7 + (Number.isFinite(count) ? count * 13 : 0);
  for (const attribute of [position, normal, uv, color, geometry.index]) {
    version *= 31;
    if (attribute) version += 1 + ('data' in attribute ? attribute.data.version : attribute.version);
    version %= Number.MAX_SAFE_INTEGER / 32;
  }
  return Math.floor(version);
}

function unreadable(geometry: BufferGeometry, what: string, expected: string): RenderError {
  const name = geometry.name ? `"${geometry.name}"` : `of type ${geometry.type}`;
  return new RenderError(`The geometry ${name} cannot be read: ${what}.`, {
    code: 'UNREADABLE_GEOMETRY',
    value: what,
    expected,
    hint: 'check its attributes; geometry.computeVertexNormals() makes normals from positions',
  });
}

function readVertices(geometry: BufferGeometry): Float32Array {
  const { position, normal, uv, color } = geometry.attributes as Record<string, Attribute | undefined>;
  if (!position) throw unreadable(geometry, 'it has no positions', 'an attribute "position"');
  const records = new Float32Array(position.count * FLOATS);
  for (let index = 0; index < position.count; index += 1) {
    const at = index * FLOATS;
    records[at] = position.getX(index);
    records[at + 1] = position.getY(index);
    records[at + 2] = position.getZ(index);
    if (normal) {
      records[at + 3] = normal.getX(index);
      records[at + 4] = normal.getY(index);
      records[at + 5] = normal.getZ(index);
    }
    if (uv) {
      records[at + 6] = uv.getX(index);
      records[at + 7] = uv.getY(index);
    }
    records[at + 8] = color ? color.getX(index) : 1;
    records[at + 9] = color ? color.getY(index) : 1;
    records[at + 10] = color ? color.getZ(index) : 1;
  }
  if (!records.every(Number.isFinite)) {
    throw unreadable(geometry, 'an attribute has a value that is not finite', 'finite numbers');
  }
  return records;
}

/** Vertex indices, three for each triangle, in the parts that have a material each. */
function readTriangles(
  geometry: BufferGeometry,
  vertexCount: number,
): { triangles: Int32Array; materialIndex: number }[] {
  const { index, drawRange } = geometry;
  const total = index ? index.count : vertexCount;
  const groups = geometry.groups.length > 0 ? geometry.groups : [{ start: 0, count: total, materialIndex: 0 }];
  return groups.map(({ start, count, materialIndex = 0 }) => {
    const first = Math.max(start, drawRange.start);
    const end = Math.min(start + count, drawRange.start + drawRange.count, total);
    const triangles = new Int32Array(Math.max(0, Math.floor((end - first) / 3)) * 3);
    for (let at = 0; at < triangles.length; at += 1) {
      const vertex = index ? index.getX(first + at) : first + at;
      if (!(vertex >= 0 && vertex < vertexCount)) {
        throw unreadable(geometry, `index ${vertex} is out of range`, `indices from 0 to ${vertexCount - 1}`);
      }
      triangles[at] = vertex;
    }
    return { triangles, materialIndex };
  });
}
