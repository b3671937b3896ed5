/**
 * The GPU backend: three.js's WebGPURenderer on Dawn, from the optional package `webgpu`. Color only.
 *
 * Not yet tested on a GPU. The tests cover its error when the package is missing, and its calls with mocks.
 */
import type { Camera, Scene } from 'three';
import { copyColor, prepareColorFrame } from './color-only.js';
import { closed, RenderError } from './errors.js';
import type { Frame, FrameOf, FrameRequest } from './frame.js';
import type { Renderer, RenderJob } from './renderer.js';
import { type CameraLike, checkSceneAndCamera, type SceneLike } from './scene-types.js';
import type { OutputColorSpace } from './soft/color-space.js';
import type { SoftRendererOptions } from './soft/soft-renderer.js';

type Three = typeof import('three/webgpu');

/** The exports of the package `webgpu`. */
interface Dawn {
  readonly globals: object;
  create(flags: readonly string[]): { requestAdapter(): Promise<{ requestDevice(): Promise<object> } | null> };
}

/** @throws {RenderError} BACKEND_MISSING if the package or a graphics device is missing. */
export async function createGpuRenderer({
  samples = 4,
  outputColorSpace = 'srgb',
}: SoftRendererOptions): Promise<Renderer> {
  const dawn = await loadDawn('webgpu');
  Object.assign(globalThis, dawn.globals); // three.js reads WebGPU's constants from the global scope
  const adapter = await dawn.create([]).requestAdapter();
  if (!adapter) throw missing('The package "webgpu" did not find a graphics device.', 'install a Vulkan driver');
  const three = await import('three/webgpu');
  const device = await adapter.requestDevice();
  const canvas = {
    width: 1,
    height: 1,
    style: {},
    addEventListener() {},
    removeEventListener() {},
    getContext: () => null,
  };
  const renderer = new three.WebGPURenderer({ device, canvas: canvas as never } as never);
  await renderer.init();
  renderer.toneMapping = three.NoToneMapping;
  return new Gpu(three, renderer, samples, outputColorSpace);
}

/** The name is a parameter so that bundlers do not resolve an optional package. */
async function loadDawn(name: string): Promise<Dawn> {
  try {
    return (await import(name)) as Dawn;
  } catch (cause) {
    throw missing('No GPU backend is installed.', 'npm install webgpu', cause);
  }
}

function missing(message: string, step: string, cause?: unknown): RenderError {
  return new RenderError(message, {
    code: 'BACKEND_MISSING',
    value: 'gpu',
    hint: `${step}, or omit \`backend\` for the software renderer, which has no requirements`,
    cause,
  });
}

class Gpu implements Renderer {
  readonly backend = 'webgpu';
  readonly #three: Three;
  #renderer: InstanceType<Three['WebGPURenderer']> | undefined;
  readonly #samples: number;
  readonly #colorSpace: OutputColorSpace;

  constructor(
    three: Three,
    renderer: InstanceType<Three['WebGPURenderer']>,
    samples: number,
    colorSpace: OutputColorSpace,
  ) {
    this.#three = three;
    this.#renderer = renderer;
    this.#samples = samples;
    this.#colorSpace = colorSpace;
  }

  async render<Request extends FrameRequest>(
    scene: SceneLike,
    camera: CameraLike,
    request: Request,
  ): Promise<FrameOf<Request>> {
    const renderer = this.#open();
    checkSceneAndCamera(scene, camera);
    const frame = prepareColorFrame(request, this.backend);
    const { width, height } = frame;
    const target = new this.#three.RenderTarget(width, height, {
      samples: this.#samples,
      colorSpace: this.#colorSpace, // three.js draws linear light into targets; an sRGB target encodes it
    });
    try {
      renderer.setRenderTarget(target);
      renderer.render(scene as unknown as Scene, camera as unknown as Camera);
      const read = await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height);
      const pixels = new Uint8Array(read.buffer, read.byteOffset, read.byteLength);
      // WebGPU pads rows to multiples of 256 bytes; the last row may have no padding.
      const padded = Math.ceil((width * 4) / 256) * 256;
      const stride = pixels.length > width * height * 4 ? padded : width * 4;
      copyColor(frame, pixels, stride, false);
    } finally {
      target.dispose();
    }
    return frame as FrameOf<Request>;
  }

  async renderBatch(jobs: readonly RenderJob[]): Promise<Frame[]> {
    this.#open();
    const frames: Frame[] = [];
    for (const job of jobs) frames.push(await this.render(job.scene, job.camera, job));
    return frames;
  }

  dispose(): void {
    this.#renderer?.dispose();
    this.#renderer = undefined;
  }

  #open(): InstanceType<Three['WebGPURenderer']> {
    if (!this.#renderer) throw closed("await createRenderer({ backend: 'gpu' })");
    return this.#renderer;
  }
}
