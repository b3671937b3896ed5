/**
 * Extents of the meshes, which determine radius and height of an entity; the dynamics need no other property of a mesh.
 * They are the float32 extents of the original's models after centering (`miniworld/objmesh.py`). Radii are computed in
 * double precision, as with NumPy 1.
 */
import { COLOR_NAMES } from './colors.js';
import { UnknownMeshError, WorldError } from './errors.js';

/** Largest coordinates of a model that is centered in x and z and stands on y = 0, in model units. */
export type MeshExtents = readonly [x: number, y: number, z: number];

const extents = new Map<string, MeshExtents>(
  Object.entries({
    medkit: [28.131900787353516, 51.06480026245117, 15.624250411987305],
    building: [1.840000033378601, 3.450000047683716, 1.2200000286102295],
    cone: [10, 31.522899627685547, 10],
    duckie: [0.8303055167198181, 1.5184210538864136, 0.588129997253418],
    ...Object.fromEntries(
      COLOR_NAMES.flatMap((color): [string, MeshExtents][] => [
        [`ball_${color}`, [1.2845649719238281, 2.5643720626831055, 1.2850019931793213]],
        [`key_${color}`, [0.4014059901237488, 2, 2.4187405109405518]],
      ]),
    ),
  } satisfies Record<string, MeshExtents>),
);

/** The mesh names for `MeshEntity`, sorted. */
export function meshNames(): string[] {
  return [...extents.keys()].sort();
}

/** @throws {UnknownMeshError} */
export function meshExtents(name: string): MeshExtents {
  const found = extents.get(name);
  if (!found) throw new UnknownMeshError(name, meshNames());
  return found;
}

/** Defines a mesh for the dynamics. @throws {WorldError} The name exists, or the extents are not positive. */
export function addMeshExtents(name: string, size: MeshExtents): void {
  if (extents.has(name)) throw new WorldError(`The mesh "${name}" already exists.`, name, 'a new name');
  if (!size.every((value) => value > 0 && value < 1e6)) {
    throw new WorldError(`Invalid extents of the mesh "${name}".`, size, 'three positive numbers');
  }
  extents.set(name, size);
}
