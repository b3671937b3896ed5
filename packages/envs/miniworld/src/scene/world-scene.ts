/**
 * A world as a three.js scene with two cameras: the agent's eye and a view from above.
 *
 * Light, cameras and drawing follow `docs/specs/miniworld.md`, section 10 (`Farama-Foundation/Miniworld`,
 * `miniworld/miniworld.py` and `opengl.py`): one directional light, colors per vertex, normals left as scaling makes
 * them. Intensities are pi because three.js divides diffuse light by it.
 */
import {
  AmbientLight,
  BoxGeometry,
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
} from 'three';
import type { Agent, Entity, Looks } from '../world/entity.js';
import type { World } from '../world/world.js';
import { entityObject } from './entity-objects.js';
import { fieldAbove } from './field-above.js';
import { rgb, type SceneResources } from './resources.js';
import { roomMeshes } from './room-geometry.js';

/** Ambient light that OpenGL adds by default. */
const GLOBAL_AMBIENT = 0.2;
const NEAR = 0.04;
const FAR = 100;

interface Shown {
  readonly entity: Entity;
  readonly object: Object3D;
  readonly looks: Looks;
  readonly unshared: readonly { dispose(): void }[];
}

export class WorldScene {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(60, 4 / 3, NEAR, FAR);
  readonly topCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 200);
  readonly #resources: SceneResources;
  readonly #rooms = new Group();
  readonly #entities = new Group();
  readonly #ambient = new AmbientLight(0xffffff, Math.PI);
  readonly #sun = new DirectionalLight(0xffffff, Math.PI);
  readonly #background = new Color();
  readonly #mark: Mesh;
  #shown: Shown[] = [];
  #world: World | undefined;
  #version: object = {};

  constructor(resources: SceneResources) {
    this.#resources = resources;
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new Float32BufferAttribute(new Float32Array(9), 3));
    this.#mark = new Mesh(triangle, resources.agentMark);
    this.#mark.frustumCulled = false;
    this.#mark.visible = false;
    this.scene.background = this.#background;
    this.scene.add(this.#ambient, this.#sun, this.#sun.target, this.#rooms, this.#entities, this.#mark);
    standStill(this.scene);
  }

  /** Another object after every change of what the agent's camera sees. */
  get version(): object {
    return this.#version;
  }

  /** Shows another world and disposes the objects of the last one. */
  show(world: World): void {
    this.#clear();
    this.#world = world;
    const { skyColor, lightPos, lightColor, lightAmbient } = world.atmosphere;
    this.#background.setRGB(...skyColor);
    const [red, green, blue] = lightAmbient;
    this.#ambient.color.setRGB(GLOBAL_AMBIENT + red, GLOBAL_AMBIENT + green, GLOBAL_AMBIENT + blue);
    this.#sun.color.copy(rgb(lightColor));
    // The original adds one to every component by mistake, and uses the position as a direction.
    this.#sun.position.set(lightPos[0] + 1, lightPos[1] + 1, lightPos[2] + 1);
    this.#sun.updateMatrix();
    const { library } = this.#resources;
    for (const { texture, variant, geometry } of roomMeshes(
      world.rooms,
      (name, number) => library.surface(name, number).meters,
    )) {
      const mesh = new Mesh(geometry, this.#resources.textured(library.surface(texture, variant)));
      mesh.matrixAutoUpdate = false;
      this.#rooms.add(mesh);
    }
    this.#listEntities(world);
    this.update();
    this.#version = {};
  }

  /** Moves entities and the agent's camera to their current positions. */
  update(): void {
    const world = this.#world;
    if (!world) return;
    let isChanged = this.#isOutdated(world);
    if (isChanged) this.#listEntities(world);
    for (const { entity, object } of this.#shown) {
      if (object.position.x === entity.x && object.position.y === entity.y && object.position.z === entity.z) {
        if (object.rotation.y === entity.direction) continue;
      }
      object.position.set(entity.x, entity.y, entity.z);
      object.rotation.set(0, entity.direction, 0);
      object.updateMatrix();
      isChanged = true;
    }
    if (aim(this.camera, world.agent)) isChanged = true;
    if (isChanged) this.#version = {};
  }

  /** The agent's camera for pictures of this size. */
  agentCamera(width: number, height: number): PerspectiveCamera {
    const { camera } = this;
    const aspect = width / height;
    if (camera.aspect !== aspect) {
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
      this.#version = {};
    }
    return camera;
  }

  /** The camera above all rooms, for pictures of this size: x points right, z points down. */
  cameraAbove(width: number, height: number): OrthographicCamera {
    const { centerX, centerZ, halfX, halfZ } = fieldAbove(this.#world!.bounds, { height, width });
    const camera = this.topCamera;
    Object.assign(camera, { left: -halfX, right: halfX, top: halfZ, bottom: -halfZ });
    camera.position.set(centerX, 100, centerZ);
    camera.up.set(0, 0, -1);
    camera.lookAt(camera.position.x, 0, camera.position.z);
    camera.updateProjectionMatrix();
    return camera;
  }

  /** Shows or hides the red triangle that marks the agent from above. */
  markAgent(visible: boolean): void {
    this.#mark.visible = visible;
    if (!visible || !this.#world) return;
    const { x, y, z, height, radius, direction } = this.#world.agent;
    const [cos, sin] = [Math.cos(direction) * radius, Math.sin(direction) * radius];
    const positions = this.#mark.geometry.getAttribute('position');
    positions.setXYZ(0, x + cos, y + height, z - sin);
    positions.setXYZ(1, x + 0.75 * (-sin - cos), y + height, z + 0.75 * (-cos + sin));
    positions.setXYZ(2, x + 0.75 * (sin - cos), y + height, z + 0.75 * (cos + sin));
    positions.needsUpdate = true;
  }

  /**
   * Replaces the first `count` entities by small boxes, numbered from 1 in list order, and runs `draw`, as in the
   * original's occlusion query.
   */
  withMarkers<T>(count: number, draw: () => T): T {
    const markers = new Group();
    const world = this.#world!;
    for (const [index, entity] of world.entities.entries()) {
      if (entity === world.agent || index >= count) continue;
      const marker = new Mesh(MARKER, MARKER_MATERIAL);
      marker.position.set(entity.x, entity.y + 0.1, entity.z);
      marker.userData.instanceId = index + 1;
      markers.add(marker);
    }
    this.#entities.visible = false;
    this.scene.add(markers);
    try {
      return draw();
    } finally {
      this.scene.remove(markers);
      this.#entities.visible = true;
    }
  }

  dispose(): void {
    this.#clear();
    this.#mark.geometry.dispose();
    this.#world = undefined;
  }

  /** True if an entity was added, removed, or changed its looks. */
  #isOutdated(world: World): boolean {
    const { entities } = world;
    if (this.#shown.length !== entities.length) return true;
    for (let index = 0; index < entities.length; index += 1) {
      const { entity, looks } = this.#shown[index]!;
      if (entity !== entities[index]) return true;
      if (entity.isStatic) continue;
      const now = entity.looks();
      if (now !== looks && JSON.stringify(now) !== JSON.stringify(looks)) return true;
    }
    return false;
  }

  #listEntities(world: World): void {
    this.#clearEntities();
    for (const entity of world.entities) {
      const looks = entity.looks();
      const created = entityObject(looks, this.#resources);
      const object = created?.object ?? new Group();
      standStill(object);
      if (created) this.#entities.add(object);
      this.#shown.push({ entity, object, looks, unshared: created?.unshared ?? [] });
    }
  }

  #clear(): void {
    for (const mesh of this.#rooms.children) (mesh as Mesh).geometry.dispose();
    this.#rooms.clear();
    this.#clearEntities();
  }

  #clearEntities(): void {
    for (const { unshared } of this.#shown) for (const resource of unshared) resource.dispose();
    this.#entities.clear();
    this.#shown = [];
  }
}

/** An object moves only by `updateMatrix`, so that a frame does not compute the matrices of a world that stands still. */
function standStill(root: Object3D): void {
  root.traverse((object) => {
    object.updateMatrix();
    object.matrixAutoUpdate = false;
  });
}

const MARKER = new BoxGeometry(0.2, 0.2, 0.2);
const MARKER_MATERIAL = new MeshBasicMaterial();

/** @returns True if the camera has moved. */
function aim(camera: PerspectiveCamera, agent: Agent): boolean {
  const { direction, camFwdDisp, camFovY } = agent;
  const { position, rotation } = camera;
  const x = agent.x + camFwdDisp * Math.cos(direction);
  const y = agent.y + agent.camHeight;
  const z = agent.z - camFwdDisp * Math.sin(direction);
  const pitch = agent.camPitch * (Math.PI / 180);
  const turn = direction - Math.PI / 2;
  const isThere = position.x === x && position.y === y && position.z === z;
  if (isThere && rotation.x === pitch && rotation.y === turn && camera.fov === camFovY) return false;
  position.set(x, y, z);
  rotation.set(pitch, turn, 0, 'YXZ');
  if (camera.fov !== camFovY) {
    camera.fov = camFovY;
    camera.updateProjectionMatrix();
  }
  return true;
}
