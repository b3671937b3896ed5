/** The interface of every backend, and the function that selects one by name. */
import { RenderError } from './errors.js';
import type { Frame, FrameOf, FrameRequest } from './frame.js';
import { createGpuRenderer } from './gpu/gpu-renderer.js';
import type { CameraLike, SceneLike } from './scene-types.js';
import { createSoftRenderer, type SoftRenderer, type SoftRendererOptions } from './soft/soft-renderer.js';

/** One picture of a batch. */
export interface RenderJob extends FrameRequest {
  readonly scene: SceneLike;
  readonly camera: CameraLike;
}

/**
 * Draws scenes. A renderer caches geometries and textures, so use one for many scenes. It shares no state: each worker
 * thread creates its own.
 *
 * Colors are plain numbers: components of `material.color`, `light.color` and bytes of textures are multiplied and stored
 * without color space conversion, as in OpenGL's fixed pipeline. Set them with `color.setRGB(r, g, b)`, which does not
 * convert.
 */
export interface Renderer {
  readonly backend: 'wasm' | 'typescript' | 'webgl' | 'webgpu';
  /** @throws {RenderError} The frame, the camera or an object cannot be drawn; `code` says which. */
  render<Request extends FrameRequest>(
    scene: SceneLike,
    camera: CameraLike,
    request: Request,
  ): FrameOf<Request> | Promise<FrameOf<Request>>;
  /** Draws several cameras or scenes. Frames are in the order of the jobs. */
  renderBatch(jobs: readonly RenderJob[]): Frame[] | Promise<Frame[]>;
  /** Releases all memory. A second call does nothing; any other call throws `CLOSED`. */
  dispose(): void;
}

export interface RendererOptions extends SoftRendererOptions {
  /**
   * - `soft` (default): WebAssembly on the CPU, or TypeScript if WebAssembly SIMD is missing. Both draw the same bytes.
   * - `gpu`: three.js's WebGPURenderer on the optional package `webgpu` (Dawn). Color only; not yet tested on a GPU.
   */
  readonly backend?: 'soft' | 'gpu';
}

/**
 * Creates a renderer. `createSoftRenderer` does the same without a promise, for the software backend only.
 *
 * @throws {RenderError} `BACKEND_MISSING` with a hint if `gpu` is requested and not available.
 */
export function createRenderer(options?: RendererOptions & { readonly backend?: 'soft' }): Promise<SoftRenderer>;
export function createRenderer(options: RendererOptions): Promise<Renderer>;
export async function createRenderer({ backend = 'soft', ...options }: RendererOptions = {}): Promise<Renderer> {
  if (backend === 'soft') return createSoftRenderer(options);
  if (backend === 'gpu') return createGpuRenderer(options);
  throw new RenderError(`Unknown backend "${String(backend)}".`, {
    code: 'INVALID_OPTION',
    value: backend,
    expected: "'soft' or 'gpu'",
    hint: "omit it for the software renderer; in a browser, import '@vlgym/render/webgl'",
  });
}
