/**
 * Computes colors and other outputs of the visible surfaces, in groups of four pixels of a row.
 *
 * Texture filtering is trilinear, with OpenGL's level of detail (the larger of the two screen derivatives) at the
 * middle of a group. Levels have a border of one texel, so the four texels around a point are always adjacent.
 * Positions are in 1/256 texels, as on graphics cards. The eight weights of a lookup are integers with sum 16384, so
 * 255 stays 255. The fast filter takes one texel of one level, chosen at the middle of the tile. Where surfaces meet in a pixel, each is shaded once at the pixel's center and weighted by the samples
 * that it covers.
 */
import type { KernelMemory } from '../kernel.js';
import {
  FRAME,
  SURFACE,
  TEXTURE,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_SPLIT,
  WRAP_CLAMP,
  WRAP_REPEAT,
} from '../layout.js';

const { fround } = Math;
const HALF = 0.5;
const THIRD = fround(1 / 3);
const TWO_THIRDS = fround(2 / 3);
const WHITE = 255 << 7;
/** Sum of the weights of a lookup. */
const WHOLE = 16_384;
/** Adding this rounds a number below 2^21 to a whole one: adjacent floats of this size differ by 1. */
const ROUNDING = 12_582_912;

/** a * b / 32768, rounded to nearest: `i16x8.q15mulr_sat_s`. */
const scale15 = (a: number, b: number) => (a * b + 0x4000) >> 15;

export class Shading {
  readonly #memory: KernelMemory;
  #frame = 0;
  /** RGBA of the last four shaded pixels. */
  readonly #pixels = new Uint8Array(16);
  /** Lower bound of 1/w in attribute lookups: a pixel's center may lie outside the surface that it partly shows. */
  #leastInverseW = 0;
  /** Light on the four pixels, RGBA as multiples of 1/32767. */
  readonly #factor = new Int32Array(16);
  readonly #bits = new Float32Array(1);
  readonly #bitsAsInteger = new Int32Array(this.#bits.buffer);
  readonly #owner = new Int32Array(4);
  readonly #ownerCount = new Int32Array(4);
  readonly #sum = new Int32Array(16);

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  shadeAll(frame: number): void {
    this.#frame = frame;
    const { i32, f64 } = this.#memory;
    const orthographic = i32[(frame + FRAME.orthographic) >> 2]!;
    this.#leastInverseW = fround(orthographic ? 0.5 : 0.5 / f64[(frame + FRAME.far) >> 3]!);
    const tilesX = i32[(frame + FRAME.tilesX) >> 2]!;
    const tilesY = i32[(frame + FRAME.tilesY) >> 2]!;
    for (let row = 0; row < tilesY; row += 1) {
      for (let column = 0; column < tilesX; column += 1) this.#shadeTile(column, row, row * tilesX + column);
    }
    this.#pack();
  }

  #shadeTile(column: number, row: number, index: number): void {
    const { i32, u8 } = this.#memory;
    const frame = this.#frame;
    const width = i32[(frame + FRAME.width) >> 2]!;
    const height = i32[(frame + FRAME.height) >> 2]!;
    const samples = i32[(frame + FRAME.samples) >> 2]!;
    const color = i32[(frame + FRAME.color) >> 2]!;
    const stride = i32[(frame + FRAME.tilesX) >> 2]! * TILE * 4;
    const state = i32[(i32[(frame + FRAME.tiles) >> 2]! + index * TILE_BYTES) >> 2]!;
    const data = (i32[(frame + FRAME.sampleData) >> 2]! >> 2) + index * 16 * samples * 8;
    const rows = Math.min(TILE, height - row * TILE);
    const groups = column * TILE + 4 < width ? 2 : 1;
    for (let groupY = 0; groupY < rows; groupY += 1) {
      for (let groupX = 0; groupX < groups; groupX += 1) {
        const x = column * TILE + groupX * 4;
        const y = row * TILE + groupY;
        const group = data + (groupY * 2 + groupX) * samples * 8;
        if (state === TILE_SPLIT) {
          this.#shadeSamples(group + samples * 4, samples, x, y, color !== 0);
        } else {
          this.#owner.fill(state);
          if (color) this.#shade(state, x, y);
        }
        if (color) u8.set(this.#pixels, color + y * stride + x * 4);
        this.#writeOwners(x, y, width);
      }
    }
  }

  /** Shades a group with separate samples; their surface numbers start at word `ids`. */
  #shadeSamples(ids: number, samples: number, x: number, y: number, color: boolean): void {
    const { i32 } = this.#memory;
    const total = samples * 4;
    const share = 4 / samples;
    this.#sum.fill(0);
    this.#owner.fill(TILE_EMPTY);
    this.#ownerCount.fill(0);
    let done = 0;
    for (let start = 0; start < total; start += 1) {
      if ((done >> start) & 1) continue;
      const surface = i32[ids + start]!;
      const count = [0, 0, 0, 0];
      for (let sample = start; sample < total; sample += 1) {
        if (i32[ids + sample] === surface) {
          done |= 1 << sample;
          count[sample & 3]! += share;
        }
      }
      if (color) this.#shade(surface, x, y);
      for (let lane = 0; lane < 4; lane += 1) {
        if (count[lane]! > this.#ownerCount[lane]!) {
          this.#ownerCount[lane] = count[lane]!;
          this.#owner[lane] = surface;
        }
        for (let byte = lane * 4; byte < lane * 4 + 4; byte += 1) {
          this.#sum[byte]! += this.#pixels[byte]! * count[lane]!;
        }
      }
    }
    for (let byte = 0; byte < 16; byte += 1) this.#pixels[byte] = (this.#sum[byte]! + 2) >> 2;
  }

  /** Colors of a surface at the centers of the pixels x to x + 3. */
  #shade(surface: number, x: number, y: number): void {
    const { i32, i16, f64 } = this.#memory;
    if (surface < 0) {
      this.#fill(i32[(this.#frame + FRAME.clearColor) >> 2]!);
      return;
    }
    const address = i32[(this.#frame + FRAME.primitives) >> 2]! + surface * SURFACE.size;
    const texture = i32[(address + SURFACE.texture) >> 2]!;
    const shaded = i32[(address + SURFACE.shaded) >> 2]!;
    if (!texture && !shaded) {
      this.#fill(i32[(address + SURFACE.flatColor) >> 2]!);
      return;
    }
    // Planes start at the center of the tile's first pixel; from there, single precision as in SIMD.
    const step = (plane: number, axis: 0 | 1) => fround(f64[((address + plane) >> 3) + axis]!);
    const row = y & (TILE - 1);
    const valueIn = (plane: number, column: number, line: number) => {
      const at = (address + plane) >> 3;
      const tileX = (x & -TILE) + 0.5;
      const tileY = (y & -TILE) + 0.5;
      const corner = fround(f64[at]! * tileX + f64[at + 1]! * tileY + f64[at + 2]!);
      const across = fround(corner + fround(step(plane, 0) * column));
      return fround(across + fround(step(plane, 1) * line));
    };
    const valueAt = (plane: number, lane: number) => valueIn(plane, (x & (TILE - 1)) + lane, row);
    const farOf = (inverseW: number) => fround(1 / Math.max(inverseW, this.#leastInverseW));
    const distance = (lane: number) => farOf(valueAt(SURFACE.inverseW, lane));

    for (let channel = 0; channel < 3; channel += 1) {
      const plane = SURFACE.red + channel * 24;
      for (let lane = 0; lane < 4; lane += 1) {
        if (shaded) {
          const value = fround(valueAt(plane, lane) * distance(lane));
          const unit = Math.min(Math.max(value, 0), 1);
          this.#factor[lane * 4 + channel] = Math.trunc(fround(fround(unit * 32767) + HALF));
        } else {
          this.#factor[lane * 4 + channel] = i16[(address + SURFACE.flatFactor) / 2 + channel]!;
        }
      }
    }
    if (!texture) {
      for (let lane = 0; lane < 4; lane += 1) this.#writePixel(lane, WHITE, WHITE, WHITE);
      return;
    }

    const fast = i32[(this.#frame + FRAME.fast) >> 2] === 1;
    const [middleX, middleY] = fast ? [3.5, 3.5] : [(x & (TILE - 1)) + 1.5, row];
    const far = farOf(valueIn(SURFACE.inverseW, middleX, middleY));
    const uMiddle = fround(valueIn(SURFACE.u, middleX, middleY) * far);
    const vMiddle = fround(valueIn(SURFACE.v, middleX, middleY) * far);
    const [uX, vX] = [step(SURFACE.u, 0), step(SURFACE.v, 0)];
    const [inverseWX, inverseWY] = [step(SURFACE.inverseW, 0), step(SURFACE.inverseW, 1)];
    const level = this.#levelOfDetail(
      texture,
      fround(fround(uX - fround(uMiddle * inverseWX)) * far),
      fround(fround(vX - fround(vMiddle * inverseWX)) * far),
      fround(fround(step(SURFACE.u, 1) - fround(uMiddle * inverseWY)) * far),
      fround(fround(step(SURFACE.v, 1) - fround(vMiddle * inverseWY)) * far),
    );
    for (let lane = 0; lane < 4; lane += 1) {
      const far = distance(lane);
      const u = fround(valueAt(SURFACE.u, lane) * far);
      const v = fround(valueAt(SURFACE.v, lane) * far);
      if (fast) this.#takeTexel(texture, level, u, v, lane);
      else this.#lookUp(texture, level, u, v, lane);
    }
  }

  #fill(color: number): void {
    for (let lane = 0; lane < 4; lane += 1) {
      this.#pixels[lane * 4] = color;
      this.#pixels[lane * 4 + 1] = color >> 8;
      this.#pixels[lane * 4 + 2] = color >> 16;
      this.#pixels[lane * 4 + 3] = color >> 24;
    }
  }

  /** Texture times light, both in multiples of about 1/32767. */
  #writePixel(lane: number, red: number, green: number, blue: number): void {
    const at = lane * 4;
    this.#pixels[at] = (scale15(red, this.#factor[at]!) + 64) >> 7;
    this.#pixels[at + 1] = (scale15(green, this.#factor[at + 1]!) + 64) >> 7;
    this.#pixels[at + 2] = (scale15(blue, this.#factor[at + 2]!) + 64) >> 7;
    this.#pixels[at + 3] = 255;
  }

  /**
   * log2 of texels per pixel, from 0 to the last level. Parameters are derivatives of texture coordinates per pixel.
   */
  #levelOfDetail(texture: number, uX: number, vX: number, uY: number, vY: number): number {
    const { i32, f32 } = this.#memory;
    const width = f32[(texture + TEXTURE.levels + 8) >> 2]!;
    const height = f32[(texture + TEXTURE.levels + 12) >> 2]!;
    const square = (value: number) => fround(value * value);
    const acrossX = fround(square(fround(uX * width)) + square(fround(vX * height)));
    const acrossY = fround(square(fround(uY * width)) + square(fround(vY * height)));
    // biome-ignore lint/complexity/useMathMinMax: this is SIMD's pmax, which differs for NaN
    const across = acrossX < acrossY ? acrossY : acrossX;
    if (!(across > 0)) return 0;
    this.#bits[0] = across;
    // log2 from the exponent and a parabola through the mantissa, with an error below 0.01.
    const bits = this.#bitsAsInteger[0]!;
    const exponent = (bits >> 23) - 128 - 16; // sizes are in 1/256 texels
    this.#bitsAsInteger[0] = (bits & 0x7fffff) | 0x3f800000;
    const mantissa = this.#bits[0]!;
    const curve = fround(fround(fround(fround(-THIRD * mantissa) + 2) * mantissa) - TWO_THIRDS);
    const level = fround(fround(exponent + curve) * HALF);
    return Math.min(Math.max(level, 0), i32[(texture + TEXTURE.lastLevel) >> 2]!);
  }

  /** One filtered lookup, multiplied by the light, written to pixel `lane`. */
  #lookUp(texture: number, level: number, u: number, v: number, lane: number): void {
    const { i32, u8, f32 } = this.#memory;
    const wholeLevel = Math.trunc(level);
    const between = Math.trunc(fround(fround(level - wholeLevel) * WHOLE));
    const inU = wrap(u, i32[(texture + TEXTURE.wrapU) >> 2]!);
    const inV = wrap(v, i32[(texture + TEXTURE.wrapV) >> 2]!);
    const nearest = i32[(texture + TEXTURE.nearest) >> 2]!;
    // Texels begin half a texel before their centers, and the level has a border.
    const shift = ROUNDING + (nearest ? 256 : 128);
    const mask = nearest ? 0 : 255;
    const sum = [64, 64, 64];
    for (let which = 0; which < 2; which += 1) {
      const record = (texture + TEXTURE.levels + (wholeLevel + which) * TEXTURE.levelBytes) >> 2;
      const x = fround(fround(inU * f32[record + 2]!) + shift) - ROUNDING;
      const y = fround(fround(inV * f32[record + 3]!) + shift) - ROUNDING;
      const weight = which === 0 ? WHOLE - between : between;
      const right = (weight * (x & mask)) >> 8;
      const left = weight - right;
      const leftBelow = (left * (y & mask)) >> 8;
      const rightBelow = (right * (y & mask)) >> 8;
      const stride = i32[record + 1]!;
      const top = i32[record]! + ((y >> 8) * stride + (x >> 8)) * 4;
      const below = top + stride * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        sum[channel]! +=
          u8[top + channel]! * (left - leftBelow) +
          u8[below + channel]! * leftBelow +
          u8[top + 4 + channel]! * (right - rightBelow) +
          u8[below + 4 + channel]! * rightBelow;
      }
    }
    this.#writePixel(lane, sum[0]! >> 7, sum[1]! >> 7, sum[2]! >> 7);
  }

  /** One texel of the nearest level, multiplied by the light, written to pixel `lane`. */
  #takeTexel(texture: number, level: number, u: number, v: number, lane: number): void {
    const { i32, u8, f32 } = this.#memory;
    const wholeLevel = Math.trunc(level);
    const between = Math.trunc(fround(fround(level - wholeLevel) * WHOLE));
    const nearest = wholeLevel + (between >= WHOLE / 2 ? 1 : 0);
    const record = (texture + TEXTURE.levels + nearest * TEXTURE.levelBytes) >> 2;
    const shift = ROUNDING + 256; // the level has a border
    const inU = wrap(u, i32[(texture + TEXTURE.wrapU) >> 2]!);
    const inV = wrap(v, i32[(texture + TEXTURE.wrapV) >> 2]!);
    const x = fround(fround(inU * f32[record + 2]!) + shift) - ROUNDING;
    const y = fround(fround(inV * f32[record + 3]!) + shift) - ROUNDING;
    const at = i32[record]! + ((y >> 8) * i32[record + 1]! + (x >> 8)) * 4;
    this.#writePixel(lane, u8[at]! << 7, u8[at + 1]! << 7, u8[at + 2]! << 7);
  }

  /** Writes depth, instance and segment of four pixels. */
  #writeOwners(x: number, y: number, width: number): void {
    const { i32, f32, f64 } = this.#memory;
    const frame = this.#frame;
    const depth = i32[(frame + FRAME.depth) >> 2]!;
    const instances = i32[(frame + FRAME.instances) >> 2]!;
    const segments = i32[(frame + FRAME.segments) >> 2]!;
    if (!depth && !instances && !segments) return;
    const near = f64[(frame + FRAME.near) >> 3]!;
    const far = f64[(frame + FRAME.far) >> 3]!;
    const orthographic = i32[(frame + FRAME.orthographic) >> 2]!;
    const lanes = Math.min(4, width - x);
    for (let lane = 0; lane < lanes; lane += 1) {
      const surface = this.#owner[lane]!;
      const pixel = y * width + x + lane;
      const address = i32[(frame + FRAME.primitives) >> 2]! + surface * SURFACE.size;
      if (depth) {
        let distance = far;
        if (surface >= 0) {
          const plane = (address + SURFACE.nearness) >> 3;
          const nearness = f64[plane]! * (x + lane + 0.5) + f64[plane + 1]! * (y + 0.5) + f64[plane + 2]!;
          distance = orthographic ? far + nearness * (near - far) : 1 / nearness;
          // The center may lie outside the visible surface, even beyond the horizon of its plane.
          if (!(nearness > 0 && distance < far)) distance = far;
          if (distance < near) distance = near;
        }
        f32[(depth >> 2) + pixel] = distance;
      }
      if (instances) {
        i32[(instances >> 2) + pixel] = surface < 0 ? 0 : i32[(address + SURFACE.instance) >> 2]!;
      }
      if (segments) {
        i32[(segments >> 2) + pixel] = surface < 0 ? 0 : i32[(address + SURFACE.segment) >> 2]!;
      }
    }
  }

  /** Copies rows without padding. */
  #pack(): void {
    const { i32, u8 } = this.#memory;
    const frame = this.#frame;
    const width = i32[(frame + FRAME.width) >> 2]!;
    const height = i32[(frame + FRAME.height) >> 2]!;
    const stride = i32[(frame + FRAME.tilesX) >> 2]! * TILE * 4;
    const color = i32[(frame + FRAME.color) >> 2]!;
    const rgb = i32[(frame + FRAME.rgb) >> 2]!;
    const rgba = i32[(frame + FRAME.rgba) >> 2]!;
    for (let y = 0; y < height; y += 1) {
      const row = color + y * stride;
      if (rgba) u8.copyWithin(rgba + y * width * 4, row, row + width * 4);
      for (let x = 0; rgb && x < width; x += 1) {
        const to = rgb + (y * width + x) * 3;
        u8[to] = u8[row + x * 4]!;
        u8[to + 1] = u8[row + x * 4 + 1]!;
        u8[to + 2] = u8[row + x * 4 + 2]!;
      }
    }
  }
}

/** Wraps a texture coordinate into 0 to 1; NaN becomes 0. */
function wrap(value: number, mode: number): number {
  const wrapped = wrapAny(value, mode);
  return Math.max(wrapped, 0);
}

function wrapAny(value: number, mode: number): number {
  if (mode === WRAP_REPEAT) return fround(value - Math.floor(value));
  if (mode === WRAP_CLAMP) return Math.min(value, 1);
  const half = fround(value * HALF);
  const phase = fround(half - Math.floor(half));
  return fround(1 - Math.abs(fround(fround(phase * 2) - 1)));
}
