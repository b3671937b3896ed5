/** Textures with mipmaps in a kernel's memory: read once, and again when `texture.version` has changed. */
import type { Texture } from 'three';
import { RenderError } from '../errors.js';
import type { Allocator } from './allocator.js';
import { LIGHT_OF_BYTE } from './color-space.js';
import type { KernelMemory } from './kernel.js';
import { TEXTURE, WRAP_CLAMP, WRAP_MIRROR, WRAP_REPEAT } from './layout.js';
import { halve, type Pixels } from './mipmaps.js';
import { ResourceKeep } from './resource-keep.js';

/** Constants of three.js, which is not imported at run time. */
const REPEAT_WRAPPING = 1000;
const MIRRORED_REPEAT_WRAPPING = 1002;
const NEAREST_FILTER = 1003;
const SRGB_COLOR_SPACE = 'srgb';
/** Minification filters without mipmaps: NearestFilter, LinearFilter. */
const WITHOUT_MIPMAPS = [1003, 1006];

/** Positions are in 1/256 texels and must fit into the 24-bit significand of a single-precision number. */
const MAX_SIDE = 8192;

interface Entry {
  readonly version: number;
  readonly addresses: readonly [record: number];
  readonly translucent: boolean;
}

interface TexturePixels extends Pixels {
  /** True if the alpha of any texel is below 1. */
  readonly translucent: boolean;
}

export class TextureStore {
  readonly #memory: KernelMemory;
  readonly #allocator: Allocator;
  readonly #keep: ResourceKeep<Texture, Entry>;

  constructor(memory: KernelMemory, allocator: Allocator) {
    this.#memory = memory;
    this.#allocator = allocator;
    this.#keep = new ResourceKeep(allocator);
  }

  /** @returns The address of the texture's record. @throws {RenderError} UNREADABLE_TEXTURE */
  get(texture: Texture): number {
    return this.#entry(texture).addresses[0];
  }

  /** True if the alpha of any texel is below 1. It matters only with `transparent` or `alphaTest`. */
  isTranslucent(texture: Texture): boolean {
    return this.#entry(texture).translucent;
  }

  clear(): void {
    this.#keep.clear();
  }

  #entry(texture: Texture): Entry {
    const known = this.#keep.get(texture);
    if (known?.version === texture.version) return known;
    const pixels = readPixels(texture);
    this.#keep.forget(texture);
    return this.#keep.add(texture, {
      version: texture.version,
      addresses: [this.#upload(texture, pixels)],
      translucent: pixels.translucent,
    });
  }

  #upload(texture: Texture, pixels: Pixels): number {
    const levels = [pixels];
    if (!WITHOUT_MIPMAPS.includes(texture.minFilter)) {
      for (let last = pixels; last.width > 1 || last.height > 1; levels.push(last)) last = halve(last);
    }
    const header = TEXTURE.levels + (levels.length + 1) * TEXTURE.levelBytes;
    const isWide = pixels.data instanceof Uint16Array;
    const texelBytes = isWide ? 8 : 4;
    const bordered = ({ width, height }: Pixels) => (width + 2) * (height + 2) * texelBytes;
    // A lookup without a filter reads one row more than it uses.
    const slack = (pixels.width + 4) * texelBytes;
    const bytes = levels.reduce((sum, level) => sum + bordered(level), header + slack);
    const address = this.#allocator.allocate(bytes);
    const { i32, f32 } = this.#memory;
    const [wrapU, wrapV] = [wrapMode(texture.wrapS), wrapMode(texture.wrapT)];
    i32[(address + TEXTURE.lastLevel) >> 2] = levels.length - 1;
    i32[(address + TEXTURE.wrapU) >> 2] = wrapU;
    i32[(address + TEXTURE.wrapV) >> 2] = wrapV;
    i32[(address + TEXTURE.nearest) >> 2] = texture.magFilter === NEAREST_FILTER ? 1 : 0;
    i32[(address + TEXTURE.wide) >> 2] = isWide ? 1 : 0;
    let data = address + header;
    let record = (address + TEXTURE.levels) >> 2;
    for (const [index, level] of [...levels, levels.at(-1)!].entries()) {
      const repeated = index === levels.length; // the last level is listed twice
      if (repeated) data -= bordered(level);
      i32[record] = data;
      i32[record + 1] = level.width + 2;
      f32[record + 2] = level.width * 256;
      f32[record + 3] = level.height * 256;
      record += TEXTURE.levelBytes >> 2;
      if (!repeated) this.#writeBordered(data, level, wrapU === WRAP_REPEAT, wrapV === WRAP_REPEAT);
      data += bordered(level);
    }
    return address;
  }

  /**
   * Writes a level with a border of one texel: the opposite side where the texture repeats, otherwise the same side.
   */
  #writeBordered(address: number, { data, width, height }: Pixels, repeatU: boolean, repeatV: boolean): void {
    /** 32-bit words of a texel. */
    const size = data.BYTES_PER_ELEMENT;
    const words = new Int32Array(data.buffer, data.byteOffset, width * height * size);
    const { i32 } = this.#memory;
    const stride = (width + 2) * size;
    for (let y = -1; y <= height; y += 1) {
      const source = y < 0 ? (repeatV ? height - 1 : 0) : y < height ? y : repeatV ? 0 : height - 1;
      const to = (address >> 2) + (y + 1) * stride;
      const row = words.subarray(source * width * size, (source + 1) * width * size);
      const texel = (x: number) => row.subarray(x * size, (x + 1) * size);
      i32.set(row, to + size);
      i32.set(texel(repeatU ? width - 1 : 0), to);
      i32.set(texel(repeatU ? 0 : width - 1), to + (width + 1) * size);
    }
  }
}

function wrapMode(wrapping: number): number {
  if (wrapping === REPEAT_WRAPPING) return WRAP_REPEAT;
  return wrapping === MIRRORED_REPEAT_WRAPPING ? WRAP_MIRROR : WRAP_CLAMP;
}

/** RGBA, linear light where the texture's color space is sRGB; the first row is the one at v = 0. */
function readPixels(texture: Texture): TexturePixels {
  const image = texture.image as { data?: unknown; width?: number; height?: number } | null | undefined;
  const { data, width = 0, height = 0 } = image ?? {};
  const texels = width * height;
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  const channels = isBytes && texels > 0 ? data.length / texels : 0;
  if (!isBytes || ![1, 2, 3, 4].includes(channels) || width > MAX_SIDE || height > MAX_SIDE) {
    const name = texture.name ? `"${texture.name}"` : texture.uuid;
    const size = `${width} x ${height} texels and unsupported data`;
    const found = !image ? 'no image' : !data ? 'an image without bytes' : size;
    throw new RenderError(`The texture ${name} cannot be read: it has ${found}.`, {
      code: 'UNREADABLE_TEXTURE',
      value: texture.name || texture.uuid,
      expected: `8-bit pixels in texture.image.data, 1 to 4 channels, at most ${MAX_SIDE} x ${MAX_SIDE} texels`,
      hint: 'use new DataTexture(bytes, width, height), or wait until the texture is loaded',
    });
  }
  const isEncoded = texture.colorSpace === SRGB_COLOR_SPACE;
  const rgba = isEncoded ? new Uint16Array(texels * 4) : new Uint8Array(texels * 4).fill(255);
  let translucent = false;
  for (let y = 0; y < height; y += 1) {
    const row = texture.flipY ? height - 1 - y : y;
    for (let x = 0; x < width; x += 1) {
      const from = (row * width + x) * channels;
      const to = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const byte = data[channels >= 3 ? from + channel : from]!;
        rgba[to + channel] = isEncoded ? LIGHT_OF_BYTE[byte]! : byte;
      }
      if (channels === 4 && data[from + 3]! < 255) translucent = true;
    }
  }
  return { data: rgba, width, height, translucent };
}
