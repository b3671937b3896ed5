/**
 * Draws a world from the agent's eye or from above: color, depth and visible entities.
 *
 * All worlds of a thread share one renderer with its textures and meshes. It is created for the first picture.
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
import type { World } from '../world/world.js';
import { SceneResources } from './resources.js';
import { WorldScene } from './world-scene.js';

export type ViewName = 'agent' | 'top';

export interface Size {
  readonly height: number;
  readonly width: number;
}

/** Distance along the view axis in meters, rows from the top; 100 where nothing is drawn. */
export interface DepthMap extends Size {
  readonly data: Float32Array;
}

/**
 * The position of the original's depth sample in a pixel, to the right of and below its center, in pixels: the first of
 * the four samples of its OpenGL driver.
 */
const DEPTH_SAMPLE = [-0.125, 0.375] as const;

/** How textures are read and edges are drawn; the defaults are those of the original. */
export interface Quality {
  readonly filter: 'trilinear' | 'fast';
  /** Samples per pixel: with 1, edges are not smoothed. */
  readonly samples: 1 | 4;
}

const FULL: Quality = { filter: 'trilinear', samples: 4 };

/** One renderer per quality. */
const shared = new Map<string, SoftRenderer>();

function rendererOf({ filter, samples }: Quality): SoftRenderer {
  const key = `${filter} ${samples}`;
  // Scaled normals are not normalized, so small objects are over-lit, and colors are the bytes of the picture, both as
  // in the original.
  const renderer =
    shared.get(key) ?? createSoftRenderer({ samples, filter, normals: 'scaled', outputColorSpace: 'srgb-linear' });
  shared.set(key, renderer);
  return renderer;
}

export class Painter {
  readonly #resources: SceneResources;
  readonly #quality: Quality;
  #scene: WorldScene | undefined;
  #shown: World | undefined;
  /** `view` has given the scene away, where changes of it are not seen. */
  #isLent = false;

  /** @throws {AssetFolderError} */
  constructor(assets?: string, quality: Quality = FULL) {
    this.#resources = SceneResources.open(assets);
    this.#quality = quality;
  }

  /** The current scene and camera, for three.js's own renderers. */
  view(world: World): { readonly scene: SceneLike; readonly camera: CameraLike } {
    const { scene, camera } = this.#current(world);
    this.#isLent = true;
    return { scene: like(scene), camera: like(camera) };
  }

  /** @param into  Buffer of `3 * height * width` bytes; omitted: a new one. */
  rgb(world: World, size: Size, view: ViewName = 'agent', into?: Uint8Array): RgbImage {
    const { rgb } = this.#draw(world, size, view, { rgb: into ?? true });
    return { data: rgb!, height: size.height, width: size.width, channels: 3 };
  }

  depth(world: World, { height, width }: Size, view: ViewName = 'agent'): DepthMap {
    const { depth } = this.#draw(world, { height, width }, view, { depth: true });
    return { data: depth!, height, width };
  }

  /**
   * Indices of the entities for which a small box at their feet is visible, drawn in list order behind walls and
   * earlier boxes; the rule of the original's `get_visible_ents`.
   */
  visible(world: World, { height, width }: Size): number[] {
    const current = this.#current(world);
    const camera = current.agentCamera(width, height);
    const seenUpTo = (count: number) =>
      current.withMarkers(count, () => {
        const { instances } = rendererOf(FULL).render(like(current.scene), like(camera), {
          width,
          height,
          instances: true,
        });
        return new Set(instances);
      });
    const all = seenUpTo(world.entities.length);
    const entities = world.entities.map((_, index) => index).filter((index) => world.entities[index] !== world.agent);
    // A box that only a later box hides was visible when it was drawn.
    return entities.filter((index) => all.has(index + 1) || seenUpTo(index + 1).has(index + 1));
  }

  close(): void {
    this.#scene?.dispose();
    this.#scene = undefined;
    this.#shown = undefined;
  }

  #current(world: World): WorldScene {
    this.#scene ??= new WorldScene(this.#resources);
    if (this.#shown !== world) {
      this.#scene.show(world);
      this.#shown = world;
    } else {
      this.#scene.update();
    }
    return this.#scene;
  }

  #draw(world: World, { height, width }: Size, view: ViewName, buffers: Partial<FrameRequest>): Frame {
    const current = this.#current(world);
    const camera = view === 'agent' ? current.agentCamera(width, height) : current.cameraAbove(width, height);
    if (view === 'top') current.markAgent(true);
    if (buffers.depth) camera.setViewOffset(width, height, ...DEPTH_SAMPLE, width, height);
    try {
      const standsStill = view === 'agent' && !buffers.depth && !this.#isLent;
      const request = { width, height, ...buffers, ...(standsStill && { version: current.version }) };
      return rendererOf(this.#quality).render(like<SceneLike>(current.scene), like<CameraLike>(camera), request);
    } finally {
      if (buffers.depth) camera.clearViewOffset();
      // `view` shows the scene from the agent's eye, without the mark.
      current.markAgent(false);
    }
  }
}

/** three.js's types match except for optional members, which exactOptionalPropertyTypes rejects. */
const like = <T>(object: object): T => object as T;
