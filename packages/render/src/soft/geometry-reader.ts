/** Converts the vertices and triangles of a three.js geometry to the records that a kernel reads. */
import type { BufferGeometry, GeometryGroup } from 'three';
import { RenderError } from '../errors.js';
import type { Attribute } from './geometry-snapshot.js';
import { VERTEX_BYTES } from './layout.js';

/** Floats in the record of a vertex. */
export const FLOATS = VERTEX_BYTES >> 2;

/** Records of all vertices, as described at `VERTEX_BYTES`. @throws {RenderError} UNREADABLE_GEOMETRY */
export function readVertices(geometry: BufferGeometry): Float32Array {
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

/** Vertex indices of a group within the draw range, three per triangle. @throws {RenderError} UNREADABLE_GEOMETRY */
export function readTriangles(
  geometry: BufferGeometry,
  { start, count }: GeometryGroup,
  vertexCount: number,
): Int32Array {
  const { index, drawRange } = geometry;
  const first = Math.max(start, drawRange.start, 0);
  const end = Math.min(start + count, drawRange.start + drawRange.count, index ? index.count : vertexCount);
  const triangles = new Int32Array(Math.max(0, Math.floor((end - first) / 3)) * 3);
  for (let at = 0; at < triangles.length; at += 1) {
    const vertex = index ? index.getX(first + at) : first + at;
    if (!(vertex >= 0 && vertex < vertexCount)) {
      throw unreadable(geometry, `index ${vertex} is out of range`, `indices from 0 to ${vertexCount - 1}`);
    }
    triangles[at] = vertex;
  }
  return triangles;
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
