/** Turns the parts of a mesh into triangles: one geometry per material, stretched to the extents of the dynamics. */
import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Euler,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { MeshModel, Part } from '../meshes/models.js';
import type { MeshExtents } from '../world/mesh-extents.js';
import { mergeGeometries, type TriangleSoup } from './triangles.js';

export interface MeshGeometry {
  readonly geometry: BufferGeometry;
  /** The facade texture, vertex colors, or the palette of the model. */
  readonly surface: 'facade' | 'vertices' | 'palette';
}

/** The colors of a painted model, one per palette cell. */
export function paletteOf({ parts }: MeshModel): readonly (readonly [number, number, number])[] {
  return parts.map(({ color }) => color);
}

/** The mesh centered in x and z, standing on y = 0, with exactly these extents. */
export function meshGeometry({ parts, coloring }: MeshModel, extents: MeshExtents): MeshGeometry[] {
  const soups = parts.map((part, index) => {
    const surface = part.texture ?? (coloring === 'paint' ? ('palette' as const) : ('vertices' as const));
    const soup = partTriangles(part);
    if (surface === 'palette') {
      for (let at = 0; at < soup.uvs.length; at += 2)
        [soup.uvs[at], soup.uvs[at + 1]] = [(index + 0.5) / parts.length, 0.5];
    }
    if (surface !== 'vertices') soup.colors.length = 0;
    return { surface, soup };
  });
  const low = new Vector3(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  const high = low.clone().negate();
  const point = new Vector3();
  for (const { soup } of soups) {
    for (let index = 0; index < soup.positions.length; index += 3) {
      point.fromArray(soup.positions, index);
      low.min(point);
      high.max(point);
    }
  }
  const stretch = new Vector3(
    (2 * extents[0]) / (high.x - low.x),
    extents[1] / (high.y - low.y),
    (2 * extents[2]) / (high.z - low.z),
  );
  const center = new Vector3((low.x + high.x) / 2, low.y, (low.z + high.z) / 2);
  const fit = new Matrix4()
    .makeScale(stretch.x, stretch.y, stretch.z)
    .multiply(new Matrix4().makeTranslation(-center.x, -center.y, -center.z));
  for (const { soup } of soups) transform(soup, fit);
  return (['facade', 'vertices', 'palette'] as const).flatMap((surface) => {
    const chosen = soups.filter((candidate) => candidate.surface === surface).map(({ soup }) => soup);
    return chosen.length === 0 ? [] : [{ surface, geometry: mergeGeometries(chosen) }];
  });
}

function partTriangles({
  shape,
  at = [0, 0, 0],
  scale = [1, 1, 1],
  turn = [0, 0, 0],
  color,
  ...part
}: Part): TriangleSoup {
  const { top = 1, corners = 16, repeat = [1, 1] } = part;
  const soup = shape === 'ring' ? ring(corners) : soupOf(geometryOf(shape, top, corners));
  transform(
    soup,
    new Matrix4().compose(new Vector3(...at), new Quaternion().setFromEuler(new Euler(...turn)), new Vector3(...scale)),
  );
  for (let index = 0; index < soup.uvs.length; index += 2) {
    soup.uvs[index]! *= repeat[0];
    soup.uvs[index + 1]! *= repeat[1];
  }
  for (let index = 0; index < soup.positions.length; index += 3) soup.colors.push(...color);
  return soup;
}

function geometryOf(shape: 'box' | 'sphere' | 'cylinder', top: number, corners: number): BufferGeometry {
  if (shape === 'box') return new BoxGeometry(2, 2, 2);
  if (shape === 'sphere') return new SphereGeometry(1, 24, 16);
  return new CylinderGeometry(top, 1, 2, corners);
}

function soupOf(source: BufferGeometry): TriangleSoup {
  const flat = source.index ? source.toNonIndexed() : source;
  const read = (name: string) => Array.from(flat.getAttribute(name).array);
  return { positions: read('position'), normals: read('normal'), uvs: read('uv'), colors: [] };
}

/** A flat ring around the x axis with a square profile: outer wall, inner wall and both sides. */
function ring(corners: number): TriangleSoup {
  const soup: TriangleSoup = { positions: [], normals: [], uvs: [], colors: [] };
  const inner = 0.55;
  const at = (corner: number, radius: number, x: number): Triple => {
    const angle = (2 * Math.PI * (corner + 0.5)) / corners;
    // The corners lie outside the circle, so that the middles of the flat sides are at the radius.
    const reach = radius / Math.cos(Math.PI / corners);
    return [x, reach * Math.cos(angle), reach * Math.sin(angle)];
  };
  for (let corner = 0; corner < corners; corner += 1) {
    const middle = (2 * Math.PI * (corner + 1)) / corners;
    const out: Triple = [0, Math.cos(middle), Math.sin(middle)];
    const into: Triple = [0, -out[1], -out[2]];
    const next = corner + 1;
    quad(soup, [at(corner, 1, -1), at(next, 1, -1), at(next, 1, 1), at(corner, 1, 1)], out);
    quad(soup, [at(corner, inner, 1), at(next, inner, 1), at(next, inner, -1), at(corner, inner, -1)], into);
    quad(soup, [at(corner, inner, 1), at(corner, 1, 1), at(next, 1, 1), at(next, inner, 1)], [1, 0, 0]);
    quad(soup, [at(next, inner, -1), at(next, 1, -1), at(corner, 1, -1), at(corner, inner, -1)], [-1, 0, 0]);
  }
  return soup;
}

type Triple = readonly [number, number, number];
type Quad = readonly [Triple, Triple, Triple, Triple];

/** Adds two triangles, counterclockwise as seen against the normal; the corners may be in either order. */
function quad(soup: TriangleSoup, [a, b, c, d]: Quad, normal: Triple): void {
  const edge = new Vector3(...b).sub(new Vector3(...a));
  const other = new Vector3(...c).sub(new Vector3(...a));
  const forward = edge.cross(other).dot(new Vector3(...normal)) > 0;
  for (const corner of forward ? [a, b, c, a, c, d] : [a, c, b, a, d, c]) {
    soup.positions.push(...corner);
    soup.normals.push(...normal);
    soup.uvs.push(0, 0);
  }
}

/** Transforms positions by the matrix, and normals by its inverse transpose with unit length. */
function transform(soup: TriangleSoup, matrix: Matrix4): void {
  const turned = new Matrix4().copy(matrix).invert().transpose();
  const vector = new Vector3();
  for (let index = 0; index < soup.positions.length; index += 3) {
    vector.fromArray(soup.positions, index).applyMatrix4(matrix).toArray(soup.positions, index);
    vector.fromArray(soup.normals, index).transformDirection(turned).toArray(soup.normals, index);
  }
}
