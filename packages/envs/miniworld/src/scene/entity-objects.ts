/** Creates the three.js object of an entity, at the origin and facing +x. */
import { BoxGeometry, type BufferGeometry, Group, Mesh, MeshLambertMaterial, type Object3D } from 'three';
import type { Looks } from '../world/entity.js';
import { rgb, type SceneResources } from './resources.js';
import { emptySoup, mergeGeometries, type TriangleSoup } from './triangles.js';

/** An object, and the geometries and materials that only this object uses. */
export interface EntityObject {
  readonly object: Object3D;
  readonly unshared: readonly { dispose(): void }[];
}

/** @throws {UnknownMeshError | UnknownTextureError | AssetFolderError} */
export function entityObject(looks: Looks, resources: SceneResources): EntityObject | undefined {
  switch (looks.kind) {
    case 'none':
      return undefined;
    case 'box': {
      const [x, y, z] = looks.size;
      const geometry = new BoxGeometry(x, y, z);
      geometry.translate(0, y / 2, 0);
      const material = new MeshLambertMaterial({ color: rgb(looks.color) });
      return { object: new Mesh(geometry, material), unshared: [geometry, material] };
    }
    case 'mesh': {
      const object = new Group();
      for (const { geometry, material } of resources.mesh(looks.mesh)) object.add(new Mesh(geometry, material));
      object.scale.setScalar(looks.scale);
      return { object, unshared: [] };
    }
    case 'image': {
      const { texture, width, height, depth } = looks;
      const material = resources.textured(resources.library.surface(texture, 1));
      return framed([{ material, from: width / 2, to: -width / 2 }], width, height, depth, resources);
    }
    case 'text': {
      const { text, variants, height, depth } = looks;
      const width = text.length * height;
      const squares = [...text].map((letter, index) => ({
        material:
          letter === ' ' ? resources.white : resources.textured(resources.library.letter(letter, variants[index]!)),
        from: width / 2 - index * height,
        to: width / 2 - (index + 1) * height,
      }));
      return framed(squares, width, height, depth, resources);
    }
  }
}

interface Panel {
  readonly material: MeshLambertMaterial;
  /** The z coordinates of its left and right edges as seen by the reader; z decreases to the right. */
  readonly from: number;
  readonly to: number;
}

/** Adjacent panels at x = depth and four black rims behind them; the back is open. */
function framed(
  panels: readonly Panel[],
  width: number,
  height: number,
  depth: number,
  resources: SceneResources,
): EntityObject {
  const object = new Group();
  const unshared: BufferGeometry[] = [];
  const add = (soup: TriangleSoup, material: MeshLambertMaterial) => {
    const geometry = mergeGeometries([soup]);
    unshared.push(geometry);
    object.add(new Mesh(geometry, material));
  };
  const [top, bottom, left, right] = [height / 2, -height / 2, width / 2, -width / 2];
  for (const { material, from, to } of panels) {
    const soup = emptySoup();
    quad(soup, [1, 0, 0], [depth, bottom, from], [depth, bottom, to], [depth, top, to], [depth, top, from]);
    add(soup, material);
  }
  const rims = emptySoup();
  quad(rims, [0, 1, 0], [0, top, left], [depth, top, left], [depth, top, right], [0, top, right]);
  quad(rims, [0, -1, 0], [0, bottom, right], [depth, bottom, right], [depth, bottom, left], [0, bottom, left]);
  quad(rims, [0, 0, 1], [0, bottom, left], [depth, bottom, left], [depth, top, left], [0, top, left]);
  quad(rims, [0, 0, -1], [depth, bottom, right], [0, bottom, right], [0, top, right], [depth, top, right]);
  add(rims, resources.black);
  return { object, unshared };
}

type Corner = readonly [x: number, y: number, z: number];

/** Corners counterclockwise from the lower left, which has u = v = 0. */
function quad(soup: TriangleSoup, normal: Corner, a: Corner, b: Corner, c: Corner, d: Corner): void {
  const uv = new Map([
    [a, [0, 0]],
    [b, [1, 0]],
    [c, [1, 1]],
    [d, [0, 1]],
  ]);
  for (const corner of [a, b, c, a, c, d]) {
    soup.positions.push(...corner);
    soup.normals.push(...normal);
    soup.uvs.push(...uv.get(corner)!);
  }
}
