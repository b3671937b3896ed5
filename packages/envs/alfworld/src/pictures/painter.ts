/**
 * First-person pictures of a game, and the object that each pixel shows.
 *
 * All households of a thread share one renderer and its geometries. It is created for the first picture.
 */
import type { RgbImage } from '@vlgym/core';
import {
  type CameraLike,
  createSoftRenderer,
  type Frame,
  type FrameRequest,
  type SceneLike,
  type SoftRenderer,
} from '@vlgym/render';
import type { BufferGeometry } from 'three';
import type { Game } from '../engine/game.js';
import type { Play } from '../engine/play.js';
import type { Origin } from './floor-plan.js';
import { HouseholdScene } from './household-scene.js';

export interface Size {
  readonly height: number;
  readonly width: number;
}

/** Which object each pixel shows. */
export interface InstanceMap extends Size {
  /** `[height, width]`, rows from the top: an id of `names`, or 0 for floor, walls, ceiling, and unnamed objects. */
  readonly data: Int32Array;
  /** Id → name in the game, e.g. `mug 2`, for every object that the game names, visible or not. */
  readonly names: ReadonlyMap<number, string>;
}

let renderer: SoftRenderer | undefined;
/**
 * A scene can show the state of any play of its game, so environments of the same game share it. The scene of a game that
 * is no longer played is garbage-collected, and its geometries with it.
 */
const scenes = new WeakMap<Game, HouseholdScene>();

/**
 * The rooms whose floors and walls the renderer holds, the latest last. Each household has its own: collected with its
 * scene, they would stay in the renderer until the current macrotask ends, which a loop over many households may never do.
 */
const rooms = new Set<readonly BufferGeometry[]>();
const MAX_ROOMS = 64;

/** Frees the least recently drawn room; it is loaded again when it is drawn again. */
function keepRoom(room: readonly BufferGeometry[]): void {
  rooms.delete(room);
  rooms.add(room);
  if (rooms.size <= MAX_ROOMS) return;
  const [oldest] = rooms;
  rooms.delete(oldest!);
  for (const geometry of oldest!) geometry.dispose();
}

export function drawRgb(play: Play, origin: Origin, size: Size): RgbImage {
  const { rgb } = draw(play, origin, size, { rgb: true });
  return { data: rgb!, height: size.height, width: size.width, channels: 3 };
}

export function drawInstances(play: Play, origin: Origin, size: Size): InstanceMap {
  const { instances } = draw(play, origin, size, { instances: true });
  return { ...size, data: instances!, names: sceneOf(play.game, origin).names };
}

function sceneOf(game: Game, origin: Origin): HouseholdScene {
  let scene = scenes.get(game);
  if (!scene) {
    scene = new HouseholdScene(game, origin);
    scenes.set(game, scene);
  }
  return scene;
}

function draw(play: Play, origin: Origin, { height, width }: Size, buffers: Partial<FrameRequest>): Frame {
  const shown = sceneOf(play.game, origin);
  const { scene, camera } = shown;
  // The hand is in a corner of the picture, so the scene needs its aspect.
  if (camera.aspect !== width / height) {
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  }
  shown.update(play);
  keepRoom(shown.room);
  renderer ??= createSoftRenderer({ outputColorSpace: 'srgb-linear' });
  return renderer.render(scene as unknown as SceneLike, camera as unknown as CameraLike, { width, height, ...buffers });
}
