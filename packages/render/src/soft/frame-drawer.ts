/**
 * Draws frames: passes the draw calls of the scene reader to a kernel and copies the outputs to the caller's buffers.
 */
import type { Camera, Color, Object3D, Scene } from 'three';
import { RenderError } from '../errors.js';
import { type Frame, type FrameOf, type FrameRequest, prepareFrame } from '../frame.js';
import { type CameraLike, checkSceneAndCamera, type SceneLike } from '../scene-types.js';
import { Allocator } from './allocator.js';
import { readCamera, viewScratch } from './camera.js';
import { encodeSrgb, encodingTable, type OutputColorSpace, toByte } from './color-space.js';
import { GeometryStore } from './geometry-store.js';
import type { Kernel } from './kernel.js';
import { DRAW, FRAME, SCREEN_VERTEX_BYTES, SURFACE, TILE, TILE_BYTES } from './layout.js';
import { SceneReader } from './scene-reader.js';
import { TextureStore } from './texture-store.js';

/** Kernel buffers whose size depends on the frame; they only grow. */
type BufferName = 'tiles' | 'sampleData' | 'color' | 'rgb' | 'rgba' | 'depth' | 'instances' | 'segments';

export class FrameDrawer {
  readonly #kernel: Kernel;
  readonly #allocator: Allocator;
  readonly #geometries: GeometryStore;
  readonly #textures: TextureStore;
  readonly #reader: SceneReader;
  readonly #samples: 1 | 4;
  readonly #isEncoded: boolean;
  readonly #frame: number;
  readonly #call: number;
  readonly #buffers = new Map<string, { address: number; bytes: number }>();
  readonly #scratch = viewScratch();
  /** Width, height and outputs of the last frame: one like it needs no new layout. */
  #laidOut = { width: 0, height: 0, outputs: 0 };
  /** The scene version that the kernel's outputs show, if the caller has named it. */
  #version: object | undefined;
  /** One function for all frames. */
  readonly #drawCall = (vertices: number, primitives: number): void => {
    this.#makeRoom(vertices, primitives);
    this.#kernel.draw(this.#frame, this.#call);
  };

  constructor(kernel: Kernel, samples: 1 | 4, unitNormals: boolean, fast: boolean, colorSpace: OutputColorSpace) {
    const { memory } = kernel;
    this.#kernel = kernel;
    this.#samples = samples;
    this.#isEncoded = colorSpace === 'srgb';
    this.#allocator = new Allocator(memory);
    this.#geometries = new GeometryStore(memory, this.#allocator);
    this.#textures = new TextureStore(memory, this.#allocator);
    this.#reader = new SceneReader(memory, this.#geometries, this.#textures, unitNormals);
    this.#frame = this.#allocator.allocate(FRAME.size);
    memory.i32[(this.#frame + FRAME.fast) >> 2] = fast ? 1 : 0;
    this.#call = this.#allocator.allocate(DRAW.size);
    memory.i32[(this.#frame + FRAME.encoding) >> 2] = this.#isEncoded ? this.#storeEncoding() : 0;
  }

  #storeEncoding(): number {
    const table = encodingTable();
    const address = this.#allocator.allocate(table.length);
    this.#kernel.memory.u8.set(table, address);
    return address;
  }

  get bytesUsed(): number {
    return this.#allocator.used;
  }

  draw<Request extends FrameRequest>(scene: SceneLike, camera: CameraLike, request: Request): FrameOf<Request> {
    checkSceneAndCamera(scene, camera);
    const frame = prepareFrame(request);
    const { width, height } = frame;
    const isLaidOut = this.#layOut(frame);
    if (!isLaidOut || request.version === undefined || request.version !== this.#version) {
      this.#version = undefined; // the kernel may stop half way
      this.#drawScene(scene, camera, width, height);
      this.#version = request.version;
    }
    this.#copyOut(frame);
    return frame as FrameOf<Request>;
  }

  #drawScene(scene: SceneLike, camera: CameraLike, width: number, height: number): void {
    scene.updateMatrixWorld();
    const threeCamera = camera as unknown as Camera;
    if (threeCamera.parent === null) threeCamera.updateMatrixWorld();
    const view = readCamera(threeCamera, width, height, this.#scratch);

    const { memory } = this.#kernel;
    const record = this.#frame;
    memory.i32[(record + FRAME.clearColor) >> 2] = clearColor(scene.background, this.#isEncoded);
    memory.i32[(record + FRAME.orthographic) >> 2] = view.orthographic ? 1 : 0;
    memory.f64[(record + FRAME.nearNearness) >> 3] = view.orthographic ? 1 : 1 / view.near;
    memory.f64[(record + FRAME.farNearness) >> 3] = view.orthographic ? 0 : 1 / view.far;
    memory.f64[(record + FRAME.near) >> 3] = view.near;
    memory.f64[(record + FRAME.far) >> 3] = view.far;
    this.#kernel.begin(record);
    this.#reader.read(scene as unknown as Scene, threeCamera, view, this.#call, this.#drawCall);
    this.#kernel.finish(record);
  }

  /** Releases all geometries and textures, so that the kernel's memory can be collected with this object. */
  forgetAll(): void {
    this.#geometries.clear();
    this.#textures.clear();
  }

  /** @returns True if the last frame had the same size and outputs. */
  #layOut(wanted: Frame): boolean {
    const { width, height, rgb, rgba, depth, instances, segments } = wanted;
    const outputs = (rgb ? 1 : 0) | (rgba ? 2 : 0) | (depth ? 4 : 0) | (instances ? 8 : 0) | (segments ? 16 : 0);
    const last = this.#laidOut;
    if (last.width === width && last.height === height && last.outputs === outputs) return true;
    last.width = 0; // memory may run out half way
    const tilesX = Math.ceil(width / TILE);
    const tilesY = Math.ceil(height / TILE);
    const tiles = tilesX * tilesY;
    const pixels = width * height;
    // SIMD writes 16 bytes at a time and can write past the last pixel.
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
    // Free all buffers that are too small first, to make room for the larger ones.
    const entries = Object.entries(sizes);
    for (const [name, bytes] of entries) this.#freeSmaller(name, bytes);
    const addresses = entries.map(([name, bytes]) => [name, bytes && this.#buffer(name, bytes)] as const);
    const { i32 } = this.#kernel.memory;
    for (const [name, address] of addresses) i32[(this.#frame + FRAME[name as BufferName]) >> 2] = address;
    i32[(this.#frame + FRAME.width) >> 2] = width;
    i32[(this.#frame + FRAME.height) >> 2] = height;
    i32[(this.#frame + FRAME.tilesX) >> 2] = tilesX;
    i32[(this.#frame + FRAME.tilesY) >> 2] = tilesY;
    i32[(this.#frame + FRAME.samples) >> 2] = this.#samples;
    this.#laidOut = { width, height, outputs };
    return false;
  }

  /** A buffer of at least this size. Growing it discards its content. */
  #buffer(name: string, bytes: number): number {
    this.#freeSmaller(name, bytes);
    const known = this.#buffers.get(name);
    if (known) return known.address;
    const address = this.#allocator.allocate(bytes);
    this.#buffers.set(name, { address, bytes });
    return address;
  }

  #freeSmaller(name: string, bytes: number): void {
    const known = this.#buffers.get(name);
    if (!known || known.bytes >= bytes) return;
    this.#allocator.free(known.address);
    this.#buffers.delete(name);
  }

  /** Reserves memory for the vertices of the next draw call and for one record per primitive, as all may be visible. */
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
    const start = (offset: number) => i32[(this.#frame + offset) >> 2]!;
    if (rgb) rgb.set(u8.subarray(start(FRAME.rgb), start(FRAME.rgb) + rgb.length));
    if (rgba) rgba.set(u8.subarray(start(FRAME.rgba), start(FRAME.rgba) + rgba.length));
    if (depth) depth.set(f32.subarray(start(FRAME.depth) >> 2, (start(FRAME.depth) >> 2) + depth.length));
    const ids = (offset: number, { length }: Int32Array) =>
      i32.subarray(start(offset) >> 2, (start(offset) >> 2) + length);
    if (instances) instances.set(ids(FRAME.instances, instances));
    if (segments) segments.set(ids(FRAME.segments, segments));
  }
}

/** RGBA8: the scene's background color, or transparent black. */
function clearColor(background: unknown, isEncoded: boolean): number {
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
  const byte = (light: number) => toByte(isEncoded ? encodeSrgb(light) : light);
  return byte(r) | (byte(g) << 8) | (byte(b) << 16) | (255 << 24);
}
