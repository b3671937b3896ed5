/** Draws on a browser's canvas with THREE.WebGLRenderer, in the colors of the other backends. */

import {
  type Camera,
  type Material,
  type Mesh,
  type MeshBasicMaterial,
  NoToneMapping,
  type Scene,
  WebGLRenderer,
} from 'three';
import { checkNames, names } from '../check-names.js';
import { copyColor, prepareColorFrame } from '../color-only.js';
import { closed, RenderError } from '../errors.js';
import type { Frame, FrameOf, FrameRequest } from '../frame.js';
import type { Renderer, RenderJob } from '../renderer.js';
import { type CameraLike, checkSceneAndCamera, type SceneLike } from '../scene-types.js';
import type { OutputColorSpace } from '../soft/color-space.js';
import { useFixedLight } from './fixed-light.js';

/** An HTMLCanvasElement or OffscreenCanvas. */
export interface WebGLCanvas {
  width: number;
  height: number;
  getContext(type: never, options?: never): unknown;
}

export interface WebGLOptions {
  readonly canvas: WebGLCanvas;
  /** As for `createSoftRenderer`. */
  readonly normals?: 'unit' | 'scaled' | undefined;
  /** As for `createSoftRenderer`: `srgb` (default) or `srgb-linear`. */
  readonly outputColorSpace?: OutputColorSpace | undefined;
}

export interface WebGLFrames extends Renderer {
  readonly backend: 'webgl';
  /** Draws on the canvas without reading pixels back. Sizes are in pixels of the canvas. */
  show(scene: SceneLike, camera: CameraLike, size: { readonly width: number; readonly height: number }): void;
  /** Color only: a request for depth or ids throws `INVALID_FRAME`. */
  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request>;
  renderBatch(jobs: readonly RenderJob[]): Frame[];
}

const WEBGL_NAMES = names<WebGLOptions>({ canvas: 0, normals: 0, outputColorSpace: 0 });

/** @throws {RenderError} BACKEND_MISSING if the canvas does not support WebGL 2, UNKNOWN_OPTION. */
export function createWebGLRenderer(options: WebGLOptions): WebGLFrames {
  checkNames(options, WEBGL_NAMES);
  const { canvas, normals = 'unit', outputColorSpace = 'srgb' } = options;
  return new WebGL(openRenderer(canvas, outputColorSpace), normals === 'scaled');
}

function openRenderer(canvas: WebGLCanvas, colorSpace: OutputColorSpace): WebGLRenderer {
  try {
    const renderer = new WebGLRenderer({ canvas: canvas as never, antialias: true, alpha: true });
    renderer.outputColorSpace = colorSpace;
    renderer.toneMapping = NoToneMapping;
    renderer.setPixelRatio(1);
    return renderer;
  } catch (cause) {
    throw new RenderError('The canvas does not support WebGL 2.', {
      code: 'BACKEND_MISSING',
      hint: "turn on hardware acceleration, or draw with createSoftRenderer() from '@vlgym/render'",
      cause,
    });
  }
}

class WebGL implements WebGLFrames {
  readonly backend = 'webgl';
  #renderer: WebGLRenderer | undefined;
  readonly #scaledNormals: boolean;

  constructor(renderer: WebGLRenderer, scaledNormals: boolean) {
    this.#renderer = renderer;
    this.#scaledNormals = scaledNormals;
  }

  show(scene: SceneLike, camera: CameraLike, { width, height }: { width: number; height: number }): void {
    const renderer = this.#open();
    checkSceneAndCamera(scene, camera);
    (scene as unknown as Scene).traverse((object) => {
      const materials: readonly Material[] = [(object as Partial<Mesh>).material ?? []].flat();
      for (const material of materials) {
        useFixedLight(material, this.#scaledNormals);
        useMipmaps(material);
      }
    });
    renderer.setSize(width, height, false);
    renderer.render(scene as unknown as Scene, camera as unknown as Camera);
  }

  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request> {
    const renderer = this.#open();
    const frame = prepareColorFrame(request, this.backend);
    const { width, height } = frame;
    this.show(scene, camera, frame);
    const gl = renderer.getContext();
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    copyColor(frame, pixels, width * 4, true);
    return frame as FrameOf<Request>;
  }

  renderBatch(jobs: readonly RenderJob[]): Frame[] {
    this.#open();
    return jobs.map((job) => this.render(job.scene, job.camera, job));
  }

  dispose(): void {
    this.#renderer?.dispose();
    this.#renderer = undefined;
  }

  #open(): WebGLRenderer {
    if (!this.#renderer) throw closed('createWebGLRenderer({ canvas })');
    return this.#renderer;
  }
}

/** Minification filters without mipmaps: NearestFilter, LinearFilter. */
const WITHOUT_MIPMAPS = [1003, 1006];

/** The software renderer makes mipmaps whenever the filter uses them; three.js needs this flag for a DataTexture. */
function useMipmaps(material: Material): void {
  const { map } = material as MeshBasicMaterial;
  if (map && !WITHOUT_MIPMAPS.includes(map.minFilter)) map.generateMipmaps = true;
}
