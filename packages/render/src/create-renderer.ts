/** Selects a backend by name. */
import { checkNames, names } from './check-names.js';
import { RenderError } from './errors.js';
import { createGpuRenderer } from './gpu-renderer.js';
import type { Renderer } from './renderer.js';
import { createSoftRenderer, type SoftRenderer, type SoftRendererOptions } from './soft/soft-renderer.js';

export interface RendererOptions extends SoftRendererOptions {
  /**
   * - `soft` (default): WebAssembly with SIMD on the CPU.
   * - `gpu`: three.js's WebGPURenderer on the optional package `webgpu` (Dawn). Color only; not yet tested on a GPU.
   */
  readonly backend?: 'soft' | 'gpu' | undefined;
}

const RENDERER_NAMES = names<RendererOptions>({ backend: 0, samples: 0, normals: 0, filter: 0, outputColorSpace: 0 });

/**
 * Creates a renderer. `createSoftRenderer` does the same without a promise, for the software backend only.
 *
 * @throws {RenderError} `BACKEND_MISSING` with a hint if `gpu` is requested and not available.
 */
export function createRenderer(options?: RendererOptions & { readonly backend?: 'soft' }): Promise<SoftRenderer>;
export function createRenderer(options: RendererOptions): Promise<Renderer>;
export async function createRenderer(given: RendererOptions = {}): Promise<Renderer> {
  checkNames(given, RENDERER_NAMES);
  const { backend = 'soft', ...options } = given;
  if (backend === 'soft') return createSoftRenderer(options);
  if (backend === 'gpu') return createGpuRenderer(options);
  throw new RenderError(`Unknown backend "${String(backend)}".`, {
    code: 'INVALID_OPTION',
    value: backend,
    expected: "'soft' or 'gpu'",
    hint: "omit it for the software renderer; in a browser, import '@vlgym/render/webgl'",
  });
}
