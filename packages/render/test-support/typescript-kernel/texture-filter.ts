/**
 * Reads textures: levels of detail, trilinear filtering, and the fast filter.
 *
 * Filtering is trilinear, with OpenGL's level of detail (the larger of the two screen derivatives). Levels have a border
 * of one texel, so the four texels around a point are always adjacent. Positions are in 1/256 texels, as on graphics
 * cards. The eight weights of a lookup are integers with sum 16384, so 255 stays 255. The fast filter takes one texel of
 * one level.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { TEXTURE, WRAP_CLAMP, WRAP_REPEAT } from '../../src/soft/layout.js';

const { fround } = Math;
const HALF = 0.5;
const THIRD = fround(1 / 3);
const TWO_THIRDS = fround(2 / 3);
/** Sum of the weights of a lookup. */
const WHOLE = 16_384;
/** Adding this rounds a number below 2^21 to a whole one: adjacent floats of this size differ by 1. */
const ROUNDING = 12_582_912;

export class TextureFilter {
  /** The last color read, in multiples of about 1/32767. */
  red = 0;
  green = 0;
  blue = 0;
  readonly #memory: KernelMemory;
  readonly #bits = new Float32Array(1);
  readonly #bitsAsInteger = new Int32Array(this.#bits.buffer);

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /**
   * log2 of texels per pixel, from 0 to the last level. Parameters are derivatives of texture coordinates per pixel.
   */
  levelOfDetail(texture: number, uX: number, vX: number, uY: number, vY: number): number {
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

  /** One filtered lookup. */
  lookUp(texture: number, level: number, u: number, v: number): void {
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
    this.red = sum[0]! >> 7;
    this.green = sum[1]! >> 7;
    this.blue = sum[2]! >> 7;
  }

  /** One texel of the nearest level. */
  takeTexel(texture: number, level: number, u: number, v: number): void {
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
    this.red = u8[at]! << 7;
    this.green = u8[at + 1]! << 7;
    this.blue = u8[at + 2]! << 7;
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
