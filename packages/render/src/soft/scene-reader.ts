/** Converts a three.js scene to a kernel's draw calls: the visible meshes with matrices, colors and textures. */
import type {
  Camera,
  InstancedMesh,
  Light,
  LOD,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Object3D,
  Scene,
} from 'three';
import type { View } from './camera.js';
import type { GeometryStore, PrimitiveRange, StoredGeometry } from './geometry-store.js';
import type { KernelMemory } from './kernel.js';
import { DRAW, DRAW_LIT, DRAW_UNIT_NORMALS, DRAW_VERTEX_COLORS } from './layout.js';
import { addLight, type Lights, noLights } from './lights.js';
import { determinant, multiply, turnNormals, writeMatrices } from './matrices.js';
import type { TextureStore } from './texture-store.js';
import { checkMaterial, checkMesh, isLit, type SceneLooks, unsupported } from './unsupported.js';

/** Constants of three.js, which is not imported at run time: FrontSide 0, BackSide 1, DoubleSide 2. */
const FRONT_SIDE = 0;
const BACK_SIDE = 1;

/** One mesh, or one instance of it, with its ids for the outputs. */
interface Drawable {
  readonly mesh: Mesh;
  readonly matrix: readonly number[];
  /** Index of the instance; 0 for a mesh without instances. */
  readonly index: number;
  readonly instance: number;
  readonly segment: number;
}

export class SceneReader {
  readonly #memory: KernelMemory;
  readonly #geometries: GeometryStore;
  readonly #textures: TextureStore;
  readonly #unitNormals: boolean;
  #looks: SceneLooks = { fog: null, environment: null, overrideMaterial: null };
  #lights = noLights();
  #drawables: Drawable[] = [];

  constructor(memory: KernelMemory, geometries: GeometryStore, textures: TextureStore, unitNormals: boolean) {
    this.#memory = memory;
    this.#geometries = geometries;
    this.#textures = textures;
    this.#unitNormals = unitNormals;
  }

  /**
   * Reads a scene; its world matrices must be up to date.
   *
   * @param call  Address to which each draw call is written before `draw` is called.
   * @param draw  Called with the number of vertices and primitives of the draw call.
   */
  read(scene: Scene, camera: Camera, view: View, call: number, draw: (vertices: number, primitives: number) => void) {
    const { fog, environment, overrideMaterial } = scene;
    this.#looks = { fog, environment, overrideMaterial };
    this.#lights = noLights();
    this.#drawables = [];
    this.#walk(scene, camera, view, 0, 0);
    this.#writeLights(call);
    for (const drawable of this.#drawables) this.#drawMesh(drawable, view, call, draw);
    this.#drawables = [];
  }

  #walk(object: Object3D, camera: Camera, view: View, instance: number, segment: number): void {
    if (!object.visible) return;
    const { instanceId, classId } = object.userData;
    if (instanceId !== undefined) instance = idOf(object, 'instanceId', instanceId);
    if (classId !== undefined) segment = idOf(object, 'classId', classId);
    if (object.layers.test(camera.layers)) {
      if ((object as Mesh).isMesh) {
        checkMesh(object as Mesh);
        if (!object.frustumCulled || isInView(object as Mesh, view)) this.#addMesh(object as Mesh, instance, segment);
      } else if ((object as Light).isLight) {
        addLight(this.#lights, object as Light);
      } else if ((object as LOD).isLOD) {
        if ((object as LOD).autoUpdate) (object as LOD).update(camera); // shows one level, hides the others
      } else if (isDrawnByThree(object)) {
        throw unsupported(`A ${object.type} cannot be drawn`, object.type, 'meshes and instanced meshes', object);
      }
    }
    for (const child of object.children) this.#walk(child, camera, view, instance, segment);
  }

  #addMesh(mesh: Mesh, instance: number, segment: number): void {
    const world = mesh.matrixWorld.elements;
    if (!(mesh as InstancedMesh).isInstancedMesh) {
      this.#drawables.push({ mesh, matrix: world, index: 0, instance, segment });
      return;
    }
    const { count, instanceMatrix } = mesh as InstancedMesh;
    for (let index = 0; index < count; index += 1) {
      const matrix = multiply(world, instanceMatrix.array.subarray(index * 16, index * 16 + 16));
      this.#drawables.push({ mesh, matrix, index, instance: instance === 0 ? 0 : instance + index, segment });
    }
  }

  #drawMesh(
    { mesh, matrix, index, instance, segment }: Drawable,
    view: View,
    call: number,
    draw: (vertices: number, primitives: number) => void,
  ): void {
    const { material: materials } = mesh;
    const stored = this.#geometries.get(mesh.geometry, Array.isArray(materials));
    const { f64, i32 } = this.#memory;
    writeMatrices(f64, call, view.rows, matrix);
    const mirrored = determinant(matrix) < 0;
    i32[(call + DRAW.vertices) >> 2] = stored.vertices;
    i32[(call + DRAW.vertexCount) >> 2] = stored.vertexCount;
    i32[(call + DRAW.instance) >> 2] = instance;
    i32[(call + DRAW.segment) >> 2] = segment;
    for (const range of stored.ranges) {
      const given = Array.isArray(materials) ? materials[range.group.materialIndex!] : materials;
      if (range.count === 0 || !given?.visible) continue;
      const material = (given.allowOverride && this.#looks.overrideMaterial) || given;
      this.#writeMaterial(material, mesh, index, stored, range, call);
      // Mirroring swaps the inside and the outside of a mesh.
      const outside = mirrored ? -1 : 1;
      if (material.side !== BACK_SIDE) {
        this.#memory.i32[(call + DRAW.facing) >> 2] = outside;
        draw(stored.vertexCount, range.count);
      }
      if (material.side !== FRONT_SIDE) {
        this.#memory.i32[(call + DRAW.facing) >> 2] = -outside;
        turnNormals(this.#memory.f64, call);
        draw(stored.vertexCount, range.count);
        turnNormals(this.#memory.f64, call);
      }
    }
  }

  #writeMaterial(
    given: Material,
    mesh: Mesh,
    index: number,
    stored: StoredGeometry,
    range: PrimitiveRange,
    call: number,
  ): void {
    checkMaterial(given, mesh, this.#looks, this.#lights, this.#textures);
    const material = given as MeshBasicMaterial & MeshLambertMaterial;
    const texture = material.map ? this.#textures.get(material.map) : 0; // may move the memory
    const { f64, i32 } = this.#memory;
    const flags =
      (isLit(material) ? DRAW_LIT : 0) |
      (material.vertexColors && stored.hasColors ? DRAW_VERTEX_COLORS : 0) |
      (this.#unitNormals ? DRAW_UNIT_NORMALS : 0);
    i32[(call + DRAW.flags) >> 2] = flags;
    i32[(call + DRAW.primitives) >> 2] = range.address;
    i32[(call + DRAW.primitiveCount) >> 2] = range.count;
    i32[(call + DRAW.texture) >> 2] = texture;
    const { r, g, b } = material.color;
    const tint = (mesh as InstancedMesh).instanceColor;
    const base = (call + DRAW.baseColor) >> 3;
    f64[base] = tint ? r * tint.getX(index) : r;
    f64[base + 1] = tint ? g * tint.getY(index) : g;
    f64[base + 2] = tint ? b * tint.getZ(index) : b;
    const { emissive, emissiveIntensity = 1 } = material;
    const glow = (call + DRAW.emissive) >> 3;
    f64[glow] = emissive ? emissive.r * emissiveIntensity : 0;
    f64[glow + 1] = emissive ? emissive.g * emissiveIntensity : 0;
    f64[glow + 2] = emissive ? emissive.b * emissiveIntensity : 0;
    if (!material.map) return;
    if (material.map.matrixAutoUpdate) material.map.updateMatrix();
    const { elements } = material.map.matrix;
    const uv = (call + DRAW.uvMatrix) >> 3;
    for (let column = 0; column < 3; column += 1) {
      f64[uv + column] = elements[column * 3]!;
      f64[uv + 3 + column] = elements[column * 3 + 1]!;
    }
  }

  #writeLights(call: number): void {
    const { f64, i32 } = this.#memory;
    const { ambient, directions } = this.#lights satisfies Lights;
    for (let at = 0; at < ambient.length; at += 1) f64[((call + DRAW.ambient) >> 3) + at] = ambient[at]!;
    for (let at = 0; at < directions.length; at += 1) f64[((call + DRAW.lights) >> 3) + at] = directions[at]!;
    i32[(call + DRAW.lightCount) >> 2] = directions.length / 6;
  }
}

/** True if part of the mesh's bounding sphere is inside the view volume. */
function isInView(mesh: Mesh, { planes }: View): boolean {
  const instanced = (mesh as InstancedMesh).isInstancedMesh;
  const holder = instanced ? (mesh as InstancedMesh) : mesh.geometry;
  if (!holder.boundingSphere) holder.computeBoundingSphere();
  const { center, radius } = holder.boundingSphere!;
  const m = mesh.matrixWorld.elements;
  const x = m[0]! * center.x + m[4]! * center.y + m[8]! * center.z + m[12]!;
  const y = m[1]! * center.x + m[5]! * center.y + m[9]! * center.z + m[13]!;
  const z = m[2]! * center.x + m[6]! * center.y + m[10]! * center.z + m[14]!;
  const scale = Math.sqrt(
    Math.max(
      m[0]! * m[0]! + m[1]! * m[1]! + m[2]! * m[2]!,
      m[4]! * m[4]! + m[5]! * m[5]! + m[6]! * m[6]!,
      m[8]! * m[8]! + m[9]! * m[9]! + m[10]! * m[10]!,
    ),
  );
  const reach = -radius * scale * (1 + 1e-6);
  for (let plane = 0; plane < 24; plane += 4) {
    const distance = planes[plane]! * x + planes[plane + 1]! * y + planes[plane + 2]! * z + planes[plane + 3]!;
    if (distance < reach) return false;
  }
  return true;
}

function idOf(object: Object3D, name: string, value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31) return value as number;
  throw unsupported(`Invalid userData.${name}: ${String(value)}`, value, 'an integer from 0 to 2^31 - 1', object);
}

/** Looked up by name: this runs for every group of every frame. */
function isDrawnByThree(object: Object3D): boolean {
  return 'isLine' in object || 'isPoints' in object || 'isSprite' in object || 'isClippingGroup' in object;
}
