/** The software renderer: reads scenes, lets a kernel draw them, copies the outputs to the caller's buffers. */
import type { Camera, Color, Object3D, Scene } from 'three';
import { RenderError } from '../errors.js';
import { type Frame, type FrameOf, type FrameRequest, prepareFrame } from '../frame.js';
import type { Renderer, RenderJob } from '../renderer.js';
import type { CameraLike, SceneLike } from '../scene-types.js';
import { Allocator } from './allocator.js';
import { readCamera } from './camera.js';
import { GeometryStore } from './geometry-store.js';
import type { Kernel } from './kernel.js';
import { DRAW, FRAME, SCREEN_VERTEX_BYTES, SURFACE, TILE, TILE_BYTES } from './layout.js';
import { SceneReader } from './scene-reader.js';
import { TextureStore } from './texture-store.js';
import { createTypescriptKernel } from './typescript/typescript-kernel.js';
import { createWasmKernel } from './wasm-kernel.js';

export interface SoftRendererOptions {
  /** Samples per pixel: 4 (default) smooths edges, 1 takes the pixel's centre. */
  readonly samples?: 1 | 4;
  /**
   * Length of normals when light is computed. `unit` (default) as three.js does; `scaled` leaves what an object's scale
   * makes of them, as OpenGL's fixed pipeline did: small objects get brighter, large ones flatter.
   */
  readonly normals?: 'unit' | 'scaled';
  /** `auto` (default) is WebAssembly where its SIMD exists, else TypeScript. Both give the same bytes. */
  readonly kernel?: 'auto' | 'wasm' | 'typescript';
}

/** A renderer that answers at once. */
export interface SoftRenderer extends Renderer {
  readonly backend: 'wasm' | 'typescript';
  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request>;
  renderBatch(jobs: readonly RenderJob[]): Frame[];
  /** Bytes that geometries, textures and frames take in the kernel's memory. */
  readonly bytesUsed: number;
}

/** @throws {RenderError} INVALID_OPTION, or BACKEND_MISSING when `kernel: 'wasm'` cannot be had. */
export function createSoftRenderer(options: SoftRendererOptions = {}): SoftRenderer {
  const { samples = 4, normals = 'unit', kernel = 'auto' } = options;
  choose('samples', samples, [1, 4]);
  choose('normals', normals, ['unit', 'scaled']);
  choose('kernel', kernel, ['auto', 'wasm', 'typescript']);
  return new Soft(createKernel(kernel), samples, normals === 'unit');
}

function createKernel(wanted: 'auto' | 'wasm' | 'typescript'): Kernel {
  if (wanted === 'typescript') return createTypescriptKernel();
  try {
    return createWasmKernel();
  } catch (cause) {
    if (wanted === 'auto') return createTypescriptKernel();
    throw new RenderError('WebAssembly with SIMD is missing here.', {
      code: 'BACKEND_MISSING',
      value: wanted,
      hint: "leave out `kernel`, or say kernel: 'typescript': the same pictures, slower",
      cause,
    });
  }
}

function choose(name: string, value: unknown, known: readonly unknown[]): void {
  if (known.includes(value)) return;
  throw new RenderError(`The option "${name}" cannot be ${JSON.stringify(value)}.`, {
    code: 'INVALID_OPTION',
    value,
    expected: `one of ${known.map((each) => JSON.stringify(each)).join(', ')}`,
    hint: `leave it out for ${JSON.stringify(known[0])}`,
  });
}

/** Buffers of the kernel that depend on the size of frames; they only grow. */
type BufferName = 'tiles' | 'sampleData' | 'color' | 'rgb' | 'rgba' | 'depth' | 'instances' | 'segments';

class Soft implements SoftRenderer {
  readonly backend: 'wasm' | 'typescript';
  readonly #kernel: Kernel;
  readonly #allocator: Allocator;
  readonly #reader: SceneReader;
  readonly #samples: 1 | 4;
  readonly #frame: number;
  readonly #call: number;
  readonly #buffers = new Map<string, { address: number; bytes: number }>();
  #disposed = false;

  constructor(kernel: Kernel, samples: 1 | 4, unitNormals: boolean) {
    this.backend = kernel.name;
    this.#kernel = kernel;
    this.#samples = samples;
    this.#allocator = new Allocator(kernel.memory);
    const { memory } = kernel;
    const geometries = new GeometryStore(memory, this.#allocator);
    this.#reader = new SceneReader(memory, geometries, new TextureStore(memory, this.#allocator), unitNormals);
    this.#frame = this.#allocator.allocate(FRAME.size);
    this.#call = this.#allocator.allocate(DRAW.size);
  }

  get bytesUsed(): number {
    return this.#allocator.used;
  }

  render<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request> {
    if (this.#disposed) {
      throw new RenderError('The renderer was disposed of.', {
        code: 'CLOSED',
        hint: 'make a new one with createSoftRenderer()',
      });
    }
    const frame = prepareFrame(request);
    const { width, height } = frame;
    scene.updateMatrixWorld();
    const looking = camera as unknown as Camera;
    if (looking.parent === null) looking.updateMatrixWorld();
    const view = readCamera(looking, width, height);

    const { memory } = this.#kernel;
    this.#layOut(frame);
    const record = this.#frame;
    memory.i32[(record + FRAME.clearColor) >> 2] = clearColor(scene.background);
    memory.i32[(record + FRAME.orthographic) >> 2] = view.orthographic ? 1 : 0;
    memory.f64[(record + FRAME.nearNearness) >> 3] = view.orthographic ? 1 : 1 / view.near;
    memory.f64[(record + FRAME.farNearness) >> 3] = view.orthographic ? 0 : 1 / view.far;
    memory.f64[(record + FRAME.near) >> 3] = view.near;
    memory.f64[(record + FRAME.far) >> 3] = view.far;
    this.#kernel.begin(record);
    this.#reader.read(scene as unknown as Scene, looking, view, this.#call, (vertices, primitives) => {
      this.#makeRoom(vertices, primitives);
      this.#kernel.draw(record, this.#call);
    });
    this.#kernel.finish(record);
    this.#copyOut(frame);
    return frame as FrameOf<Request>;
  }

  renderBatch(jobs: readonly RenderJob[]): Frame[] {
    return jobs.map((job) => this.render(job.scene, job.camera, job));
  }

  dispose(): void {
    this.#disposed = true;
  }

  #layOut({ width, height, ...wanted }: Frame): void {
    const tilesX = Math.ceil(width / TILE);
    const tilesY = Math.ceil(height / TILE);
    const tiles = tilesX * tilesY;
    const pixels = width * height;
    // SIMD writes 16 bytes at a time, up to 4 beyond the last pixel
    const sizes: Record<BufferName, number> = {
      tiles: tiles * TILE_BYTES,
      sampleData: tiles * TILE * TILE * this.#samples * 8,
      color: wanted.rgb || wanted.rgba ? tiles * TILE * TILE * 4 : 0,
      rgb: wanted.rgb ? pixels * 3 + 16 : 0,
      rgba: wanted.rgba ? pixels * 4 : 0,
      depth: wanted.depth ? pixels * 4 + 16 : 0,
      instances: wanted.instances ? pixels * 4 + 16 : 0,
      segments: wanted.segments ? pixels * 4 + 16 : 0,
    };
    const addresses = Object.entries(sizes).map(([name, bytes]) => [name, bytes && this.#buffer(name, bytes)] as const);
    const { i32 } = this.#kernel.memory;
    for (const [name, address] of addresses) i32[(this.#frame + FRAME[name as BufferName]) >> 2] = address;
    i32[(this.#frame + FRAME.width) >> 2] = width;
    i32[(this.#frame + FRAME.height) >> 2] = height;
    i32[(this.#frame + FRAME.tilesX) >> 2] = tilesX;
    i32[(this.#frame + FRAME.tilesY) >> 2] = tilesY;
    i32[(this.#frame + FRAME.samples) >> 2] = this.#samples;
  }

  /** A buffer of at least this size whose content need not stay. */
  #buffer(name: string, bytes: number): number {
    const known = this.#buffers.get(name);
    if (known && known.bytes >= bytes) return known.address;
    if (known) this.#allocator.free(known.address);
    const address = this.#allocator.allocate(bytes);
    this.#buffers.set(name, { address, bytes });
    return address;
  }

  /** Room for the vertices of the next draw call, and for a record of each primitive if all become visible. */
  #makeRoom(vertices: number, primitives: number): void {
    const at = (offset: number) => (this.#frame + offset) >> 2;
    const scratch = this.#buffer('vertices', vertices * SCREEN_VERTEX_BYTES);
    const drawn = this.#kernel.memory.i32[at(FRAME.primitiveCount)]!;
    const needed = (drawn + primitives) * SURFACE.size;
    const known = this.#buffers.get('primitives');
    if (!known || known.bytes < needed) {
      const bytes = Math.max(needed * 2, 1024 * SURFACE.size);
      const address = this.#allocator.allocate(bytes);
      if (known) {
        const { u8 } = this.#kernel.memory;
        u8.copyWithin(address, known.address, known.address + drawn * SURFACE.size);
        this.#allocator.free(known.address);
      }
      this.#buffers.set('primitives', { address, bytes });
    }
    this.#kernel.memory.i32[at(FRAME.vertices)] = scratch;
    this.#kernel.memory.i32[at(FRAME.primitives)] = this.#buffers.get('primitives')!.address;
  }

  #copyOut({ rgb, rgba, depth, instances, segments }: Frame): void {
    const { u8, i32, f32 } = this.#kernel.memory;
    const address = (name: BufferName) => i32[(this.#frame + FRAME[name]) >> 2]!;
    if (rgb) rgb.set(u8.subarray(address('rgb'), address('rgb') + rgb.length));
    if (rgba) rgba.set(u8.subarray(address('rgba'), address('rgba') + rgba.length));
    if (depth) depth.set(f32.subarray(address('depth') >> 2, (address('depth') >> 2) + depth.length));
    for (const [name, output] of [
      ['instances', instances],
      ['segments', segments],
    ] as const) {
      if (output) output.set(i32.subarray(address(name) >> 2, (address(name) >> 2) + output.length));
    }
  }
}

/** RGBA8: the scene's background colour, or nothing at all (black, alpha 0). */
function clearColor(background: unknown): number {
  if (background === null || background === undefined) return 0;
  if (!(background as Color).isColor) {
    throw new RenderError('The background of the scene cannot be drawn.', {
      code: 'UNSUPPORTED_SCENE',
      value: (background as Object3D).type,
      expected: 'a Color or null',
      hint: 'put a large textured mesh behind everything instead',
    });
  }
  const { r, g, b } = background as Color;
  const [red, green, blue] = [r, g, b].map((value) => Math.floor(Math.min(Math.max(value, 0), 1) * 255 + 0.5));
  return red! | (green! << 8) | (blue! << 16) | (255 << 24);
}
