/**
 * Meshes from objects of three.js: your own geometry, or what a loader of three.js makes of an OBJ, glTF or STL file.
 *
 * The object is read once, with all transformations applied. Materials become Lambert materials of the same color and
 * texture; colors are those that three.js shows (sRGB).
 */
import {
  Box3,
  type BufferGeometry,
  Color,
  DataTexture,
  FrontSide,
  type Material,
  Matrix4,
  type Mesh,
  MeshLambertMaterial,
  NoColorSpace,
  type Object3D,
  Vector3,
} from 'three';
import { WorldError } from '../world/errors.js';
import { addMeshExtents } from '../world/mesh-extents.js';

/** A geometry in model units, centered in x and z and standing on y = 0, with its material or one per group. */
export interface ObjectPart {
  readonly geometry: BufferGeometry;
  readonly material: MeshLambertMaterial | MeshLambertMaterial[];
}

/** An `Object3D` of three.js, whether or not its types are installed. */
export interface ObjectLike {
  readonly isObject3D: boolean;
  readonly children: readonly object[];
  updateMatrixWorld(force?: boolean): void;
}

const objects = new Map<string, readonly ObjectPart[]>();

/** The parts of a mesh from `defineMeshObject`; undefined for other names. */
export const objectParts = (name: string): readonly ObjectPart[] | undefined => objects.get(name);

/**
 * Defines a mesh for `new MeshEntity({ mesh: name, height })` from an object of three.js.
 *
 * Proportions are the object's: height is along y, and the entity's radius reaches to the farthest corner in x and z.
 * Textures must be `DataTexture`s, because a program without a browser cannot decode pictures on its own.
 *
 * @param given  An object of three.js, e.g. what a loader returns.
 * @throws {WorldError}  The name exists, the object has no triangles, or a texture has no pixels.
 */
export function defineMeshObject(name: string, given: ObjectLike): void {
  const object = given as Object3D;
  object.updateMatrixWorld(true);
  const bounds = new Box3().setFromObject(object, true);
  if (bounds.isEmpty())
    throw new WorldError(`The mesh "${name}" has no triangles.`, object.type, 'an object with meshes');
  const size = bounds.getSize(new Vector3());
  const center = bounds.getCenter(new Vector3());
  const stand = new Matrix4().makeTranslation(-center.x, -bounds.min.y, -center.z);
  const parts: ObjectPart[] = [];
  object.traverse((child) => {
    if (!(child as Mesh).isMesh) return;
    const { geometry, material, matrixWorld } = child as Mesh;
    const moved = geometry.clone().applyMatrix4(new Matrix4().multiplyMatrices(stand, matrixWorld));
    if (!moved.getAttribute('normal')) moved.computeVertexNormals();
    const lambert = (given: Material) => lambertOf(given, moved, name);
    parts.push({ geometry: moved, material: Array.isArray(material) ? material.map(lambert) : lambert(material) });
  });
  addMeshExtents(name, [size.x / 2, size.y, size.z / 2]);
  objects.set(name, parts);
}

function lambertOf(given: Material, geometry: BufferGeometry, name: string): MeshLambertMaterial {
  const { color, map, side } = given as MeshLambertMaterial;
  const material = new MeshLambertMaterial({
    side: side ?? FrontSide,
    vertexColors: given.vertexColors && geometry.getAttribute('color') !== undefined,
  });
  const shown = (color ?? new Color()).clone().convertLinearToSRGB();
  material.color.copy(shown);
  if (!map) return material;
  if (!(map instanceof DataTexture) && !('isDataTexture' in map)) {
    throw new WorldError(`A texture of the mesh "${name}" has no pixels.`, map, 'a DataTexture with 8-bit pixels');
  }
  material.map = map;
  if (map.colorSpace === NoColorSpace) return material;
  // the picture has the bytes of the texture, as it has those of colors
  material.map = map.clone();
  material.map.colorSpace = NoColorSpace;
  material.map.needsUpdate = true;
  return material;
}
