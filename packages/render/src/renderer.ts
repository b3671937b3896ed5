/** The one interface in front of every backend, and the function that picks one by name. */
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
 * Draws scenes. A renderer keeps what it has read of geometries and textures, so use one for many scenes; it holds
 * nothing global, and worker threads each make their own.
 *
 * Colors are numbers as they are: components of `material.color`, `light.color` and bytes of textures are multiplied
 * and stored without conversion between color spaces, as OpenGL's fixed pipeline did. Set them with
 * `color.setRGB(r, g, b)`, which converts nothing.
 */
export interface Renderer {
  readonly backend: 'wasm' | 'typescript' | 'webgl' | 'webgpu';
  /** @throws {RenderError} the frame, the camera or something in the scene cannot be drawn; `code` says which. */
  render<Request extends FrameRequest>(
    scene: SceneLike,
    camera: CameraLike,
    request: Request,
  ): FrameOf<Request> | Promise<FrameOf<Request>>;
  /** Draws several cameras or scenes; frames come in the order of the jobs. */
  renderBatch(jobs: readonly RenderJob[]): Frame[] | Promise<Frame[]>;
  /** Gives memory back. A second call does nothing; any other call throws `CLOSED`. */
  dispose(): void;
}

export interface RendererOptions extends SoftRendererOptions {
  /**
   * - `soft` (default): WebAssembly on the CPU, or TypeScript where WebAssembly or its SIMD is missing; same bytes.
   * - `gpu`: three.js's WebGPURenderer on the optional package `webgpu` (Dawn); color only, not proven on a GPU yet.
   */
  readonly backend?: 'soft' | 'gpu';
}

/**
 * Make a renderer. `createSoftRenderer` does the same without a promise, for the software backend only.
 *
 * @throws {RenderError} `BACKEND_MISSING` with the next step when `gpu` was asked for and none is there.
 */
export function createRenderer(options?: RendererOptions & { readonly backend?: 'soft' }): Promise<SoftRenderer>;
export function createRenderer(options: RendererOptions): Promise<Renderer>;
export async function createRenderer({ backend = 'soft', ...options }: RendererOptions = {}): Promise<Renderer> {
  if (backend === 'soft') return createSoftRenderer(options);
  if (backend === 'gpu') return createGpuRenderer(options);
  throw new RenderError(`There is no backend "${String(backend)}".`, {
    code: 'INVALID_OPTION',
    value: backend,
    expected: "'soft' or 'gpu'",
    hint: "leave it out for the software renderer; browsers import '@vlgym/render/webgl'",
  });
}
