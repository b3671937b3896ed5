/** The public software renderer: its options, and disposal. */
import { checkNames, names } from '../check-names.js';
import { closed, RenderError } from '../errors.js';
import type { Frame, FrameOf, FrameRequest } from '../frame.js';
import type { Renderer, RenderJob } from '../renderer.js';
import type { CameraLike, SceneLike } from '../scene-types.js';
import { OUTPUT_COLOR_SPACES, type OutputColorSpace } from './color-space.js';
import { FrameDrawer } from './frame-drawer.js';
import type { Kernel } from './kernel.js';
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
  /**
   * Bytes of the picture. `srgb` (default): linear light is encoded as sRGB, as in three.js, where `new Color(0xaa5522)`
   * shows 170, 85, 34. `srgb-linear`: bytes are linear light, as in OpenGL's fixed pipeline.
   */
  readonly outputColorSpace?: OutputColorSpace | undefined;
}

/** A renderer that returns frames without a promise. */
export interface SoftRenderer extends Renderer {
  readonly backend: 'wasm';
  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request>;
  renderBatch(jobs: readonly RenderJob[]): Frame[];
  /** Bytes of geometries, textures and frames in the kernel's memory; 0 after `dispose`. */
  readonly bytesUsed: number;
}

const SOFT_RENDERER_NAMES = names<SoftRendererOptions>({ samples: 0, normals: 0, filter: 0, outputColorSpace: 0 });

/** @throws {RenderError} INVALID_OPTION, UNKNOWN_OPTION, or BACKEND_MISSING where WebAssembly or its SIMD is missing. */
export function createSoftRenderer(options: SoftRendererOptions = {}): SoftRenderer {
  return softRendererOn(createKernel, options);
}

/** @param open  The kernel; tests compare another one. */
export function softRendererOn(open: () => Kernel, options: SoftRendererOptions = {}): SoftRenderer {
  checkNames(options, SOFT_RENDERER_NAMES);
  const { samples = 4, normals = 'unit', filter = 'trilinear', outputColorSpace = 'srgb' } = options;
  choose('samples', samples, [1, 4]);
  choose('normals', normals, ['unit', 'scaled']);
  choose('filter', filter, ['trilinear', 'fast']);
  choose('outputColorSpace', outputColorSpace, OUTPUT_COLOR_SPACES);
  return new Soft(new FrameDrawer(open(), samples, normals === 'unit', filter === 'fast', outputColorSpace));
}

function createKernel(): Kernel {
  try {
    return createWasmKernel();
  } catch (cause) {
    throw new RenderError('WebAssembly with SIMD is not available.', {
      code: 'BACKEND_MISSING',
      hint: 'use Node 20.19 or newer, or a browser with WebAssembly SIMD',
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
  readonly backend = 'wasm';
  /** Undefined after `dispose`, so that a disposed renderer does not retain the kernel's memory. */
  #drawer: FrameDrawer | undefined;

  constructor(drawer: FrameDrawer) {
    this.#drawer = drawer;
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
