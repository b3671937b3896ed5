/** Plain lists of triangles, and three.js geometries made from them. */
import { BufferGeometry, Float32BufferAttribute } from 'three';

/** Three vertices per triangle. */
export interface TriangleSoup {
  readonly positions: number[];
  readonly normals: number[];
  readonly uvs: number[];
  /** Empty if the material has the color. */
  readonly colors: number[];
}

export const emptySoup = (): TriangleSoup => ({ positions: [], normals: [], uvs: [], colors: [] });

export function mergeGeometries(soups: readonly TriangleSoup[]): BufferGeometry {
  const all = (key: keyof TriangleSoup) => soups.flatMap((soup) => soup[key]);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(all('positions'), 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(all('normals'), 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(all('uvs'), 2));
  const colors = all('colors');
  if (colors.length > 0) geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
  return geometry;
}
