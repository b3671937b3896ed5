/** The public software renderer: its options, the choice of a kernel, and disposal. */
import { closed, RenderError } from '../errors.js';
import type { Frame, FrameOf, FrameRequest } from '../frame.js';
import type { Renderer, RenderJob } from '../renderer.js';
import type { CameraLike, SceneLike } from '../scene-types.js';
import { FrameDrawer } from './frame-drawer.js';
import type { Kernel } from './kernel.js';
import { createTypescriptKernel } from './typescript/typescript-kernel.js';
import { createWasmKernel } from './wasm-kernel.js';

export interface SoftRendererOptions {
  /** Samples per pixel: 4 (default) smooths edges, 1 takes the pixel's center. */
  readonly samples?: 1 | 4 | undefined;
  /**
   * Length of normals in light computations. `unit` (default): normalized, as in three.js. `scaled`: changed by the
   * object's scale, as in OpenGL's fixed pipeline; small objects become brighter, large ones darker.
   */
  readonly normals?: 'unit' | 'scaled' | undefined;
  /**
   * How textures are read. `trilinear` (default): between four texels of two mipmap levels. `fast`: one texel of one
   * level, chosen per tile of 8 x 8 pixels; several times as fast, and grainy near level changes.
   */
  readonly filter?: 'trilinear' | 'fast' | undefined;
  /** `auto` (default): WebAssembly if SIMD is available, otherwise TypeScript. Both draw the same bytes. */
  readonly kernel?: 'auto' | 'wasm' | 'typescript' | undefined;
}

/** A renderer that returns frames without a promise. */
export interface SoftRenderer extends Renderer {
  readonly backend: 'wasm' | 'typescript';
  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request>;
  renderBatch(jobs: readonly RenderJob[]): Frame[];
  /** Bytes of geometries, textures and frames in the kernel's memory; 0 after `dispose`. */
  readonly bytesUsed: number;
}

/** @throws {RenderError} INVALID_OPTION, or BACKEND_MISSING if `kernel: 'wasm'` is not available. */
export function createSoftRenderer(options: SoftRendererOptions = {}): SoftRenderer {
  const { samples = 4, normals = 'unit', filter = 'trilinear', kernel = 'auto' } = options;
  choose('samples', samples, [1, 4]);
  choose('normals', normals, ['unit', 'scaled']);
  choose('filter', filter, ['trilinear', 'fast']);
  choose('kernel', kernel, ['auto', 'wasm', 'typescript']);
  return new Soft(createKernel(kernel), samples, normals === 'unit', filter === 'fast');
}

function createKernel(wanted: 'auto' | 'wasm' | 'typescript'): Kernel {
  if (wanted === 'typescript') return createTypescriptKernel();
  try {
    return createWasmKernel();
  } catch (cause) {
    if (wanted === 'auto') return createTypescriptKernel();
    throw new RenderError('WebAssembly with SIMD is not available.', {
      code: 'BACKEND_MISSING',
      value: wanted,
      hint: "omit `kernel`, or pass kernel: 'typescript' for the same pictures at lower speed",
      cause,
    });
  }
}

function choose(name: string, value: unknown, known: readonly unknown[]): void {
  if (known.includes(value)) return;
  throw new RenderError(`Invalid ${name}: ${JSON.stringify(value)}.`, {
    code: 'INVALID_OPTION',
    value,
    expected: `one of ${known.map((choice) => JSON.stringify(choice)).join(', ')}`,
    hint: `omit it for ${JSON.stringify(known[0])}`,
  });
}

class Soft implements SoftRenderer {
  readonly backend: 'wasm' | 'typescript';
  /** Undefined after `dispose`, so that a disposed renderer does not retain the kernel's memory. */
  #drawer: FrameDrawer | undefined;

  constructor(kernel: Kernel, samples: 1 | 4, unitNormals: boolean, fast: boolean) {
    this.backend = kernel.name;
    this.#drawer = new FrameDrawer(kernel, samples, unitNormals, fast);
  }

  get bytesUsed(): number {
    return this.#drawer?.bytesUsed ?? 0;
  }

  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request> {
    return this.#open().draw(scene, camera, request);
  }

  renderBatch(jobs: readonly RenderJob[]): Frame[] {
    const drawer = this.#open();
    return jobs.map((job) => drawer.draw(job.scene, job.camera, job));
  }

  dispose(): void {
    this.#drawer?.forgetAll();
    this.#drawer = undefined;
  }

  #open(): FrameDrawer {
    if (!this.#drawer) throw closed('createSoftRenderer()');
    return this.#drawer;
  }
}
