/** Features of three.js that would change the picture and are not drawn: an error names the object. */
import type {
  InstancedMesh,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  Object3D,
  Scene,
} from 'three';
import { RenderError } from '../errors.js';
import type { Lights } from './lights.js';
import type { TextureStore } from './texture-store.js';

/** Constants of three.js, which is not imported at run time: NormalBlending; LessDepth and LessEqualDepth. */
const NORMAL_BLENDING = 1;
const DEPTH_FUNCTIONS = [2, 3];

/** The properties of all supported materials; most materials have only some of them. */
type AnyMaterial = MeshBasicMaterial & MeshLambertMaterial & Pick<MeshPhysicalMaterial, 'transmission'>;

/** The properties of a scene that affect all its materials. */
export type SceneLooks = Pick<Scene, 'fog' | 'environment' | 'overrideMaterial'>;

/** Materials that are lit. Phong, Standard and Toon are drawn without gloss. */
export function isLit(material: Material): boolean {
  return (
    'isMeshLambertMaterial' in material ||
    'isMeshStandardMaterial' in material ||
    'isMeshPhongMaterial' in material ||
    'isMeshToonMaterial' in material
  );
}

/** @throws {RenderError} UNSUPPORTED_SCENE */
export function checkMesh(mesh: Mesh): void {
  if ('isSkinnedMesh' in mesh || 'isBatchedMesh' in mesh) {
    const kind = 'isBatchedMesh' in mesh ? 'BatchedMesh' : 'SkinnedMesh'; // the `type` of a BatchedMesh is 'Mesh'
    throw unsupported(`A ${kind} cannot be drawn`, kind, 'a Mesh or an InstancedMesh', mesh);
  }
  const { morphTexture } = mesh as InstancedMesh;
  if (morphTexture || (mesh.morphTargetInfluences && isMorphed(mesh))) {
    const hint = 'set all morphTargetInfluences to 0, or write the resulting positions to the geometry';
    throw unsupported(`The morph targets of a ${mesh.type} cannot be drawn`, mesh.type, 'no morph targets', mesh, hint);
  }
}

function isMorphed({ geometry: { morphAttributes }, morphTargetInfluences }: Mesh): boolean {
  const { position, normal, color } = morphAttributes as Partial<typeof morphAttributes>;
  return Boolean(position || normal || color) && morphTargetInfluences!.some((influence) => influence !== 0);
}

/** @throws {RenderError} UNSUPPORTED_SCENE */
export function checkMaterial(
  given: Material,
  mesh: Mesh,
  scene: SceneLooks,
  lights: Lights,
  textures: TextureStore,
): void {
  const lit = isLit(given);
  if (!lit && !('isMeshBasicMaterial' in given)) {
    const expected = 'MeshBasicMaterial or MeshLambertMaterial; Phong, Standard and Toon are drawn without gloss';
    throw unsupported(`A ${given.type} cannot be drawn`, given.type, expected, mesh);
  }
  const material = given as AnyMaterial;
  const what =
    changedShape(material) ??
    changedColor(material, scene) ??
    changedDepth(material) ??
    seenThrough(material, mesh, textures) ??
    changedNormals(material);
  if (what === undefined) {
    if (lit && lights.directions.length > 0 && !mesh.geometry.attributes.normal) throw withoutNormals(mesh);
    return;
  }
  const expected = 'an opaque material with color, vertexColors, map and emissive only';
  const hint = `remove ${what}, or set visible = false on the object`;
  throw unsupported(`A ${given.type} with ${what} cannot be drawn`, what, expected, mesh, hint);
}

// Each of these functions returns the name of the first unsupported property.

function changedShape(material: AnyMaterial): string | undefined {
  if (material.wireframe) return 'wireframe';
  if (material.displacementMap) return 'displacementMap';
  if (material.clippingPlanes && material.clippingPlanes.length > 0) return 'clippingPlanes';
  return undefined;
}

function changedColor(material: AnyMaterial, { fog, environment }: SceneLooks): string | undefined {
  if (material.blending > NORMAL_BLENDING) return 'blending';
  if (material.map && material.map.channel !== 0) return 'map.channel';
  if (material.lightMap) return 'lightMap';
  if (material.aoMap) return 'aoMap';
  if (material.envMap) return 'envMap';
  if (material.emissiveMap) return 'emissiveMap';
  if (material.transmission > 0) return 'transmission';
  if (fog && material.fog) return 'fog';
  // three.js applies the scene's environment to all materials but these two.
  const ignoresEnvironment = 'isMeshBasicMaterial' in material || 'isMeshToonMaterial' in material;
  return environment && !ignoresEnvironment ? 'environment' : undefined;
}

function changedDepth(material: AnyMaterial): string | undefined {
  if (!material.depthTest) return 'depthTest';
  if (!material.depthWrite) return 'depthWrite';
  if (!DEPTH_FUNCTIONS.includes(material.depthFunc)) return 'depthFunc';
  if (!material.colorWrite) return 'colorWrite';
  if (material.stencilWrite) return 'stencilWrite';
  return material.polygonOffset ? 'polygonOffset' : undefined;
}

/** As in three.js, opacity and alpha matter only if one of these properties is set. */
function seenThrough(material: AnyMaterial, { geometry }: Mesh, textures: TextureStore): string | undefined {
  const { transparent, alphaHash, alphaToCoverage, alphaTest } = material;
  if (!(transparent || alphaHash || alphaToCoverage || alphaTest > 0)) return undefined;
  const { opacity, alphaMap, map, vertexColors } = material;
  const translucent =
    opacity < 1 ||
    alphaMap ||
    (map && textures.isTranslucent(map)) ||
    (vertexColors && geometry.attributes.color?.itemSize === 4);
  if (!translucent) return undefined;
  if (transparent) return 'transparent';
  if (alphaTest > 0) return 'alphaTest';
  return alphaHash ? 'alphaHash' : 'alphaToCoverage';
}

function changedNormals(material: AnyMaterial): string | undefined {
  if (material.flatShading) return 'flatShading';
  if (material.normalMap) return 'normalMap';
  return material.bumpMap ? 'bumpMap' : undefined;
}

/** three.js would use the normals of the triangles. Without directional light they make no difference. */
function withoutNormals(mesh: Mesh): RenderError {
  const hint = 'call geometry.computeVertexNormals(), on geometry.toNonIndexed() for flat triangles';
  return unsupported(`A ${mesh.type} without normals cannot be lit`, mesh.type, 'an attribute "normal"', mesh, hint);
}

const HINT = 'set visible = false on objects that should not be drawn';

export function unsupported(
  what: string,
  value: unknown,
  expected: string,
  object: Object3D,
  hint = HINT,
): RenderError {
  const message = `${what} (${object.name ? `"${object.name}"` : `id ${object.id}`}).`;
  return new RenderError(message, { code: 'UNSUPPORTED_SCENE', value, expected, hint });
}
