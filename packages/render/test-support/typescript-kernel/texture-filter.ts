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
    const { i32, f32 } = this.#memory;
    const wide = i32[(texture + TEXTURE.wide) >> 2] === 1;
    const wholeLevel = Math.trunc(level);
    const between = Math.trunc(fround(fround(level - wholeLevel) * WHOLE));
    const inU = wrap(u, i32[(texture + TEXTURE.wrapU) >> 2]!);
    const inV = wrap(v, i32[(texture + TEXTURE.wrapV) >> 2]!);
    const nearest = i32[(texture + TEXTURE.nearest) >> 2]!;
    // Texels begin half a texel before their centers, and the level has a border.
    const shift = nearest ? 1 : HALF;
    const half = wide ? 8192 : 64;
    const sum = [half, half, half];
    for (let which = 0; which < 2; which += 1) {
      const record = (texture + TEXTURE.levels + (wholeLevel + which) * TEXTURE.levelBytes) >> 2;
      const [column, across] = place(inU, f32[record + 2]!, shift, wide);
      const [row, down] = place(inV, f32[record + 3]!, shift, wide);
      const weight = which === 0 ? WHOLE - between : between;
      const bits = wide ? 14 : 8;
      const right = nearest ? 0 : (weight * across) >> bits;
      const left = weight - right;
      const leftBelow = nearest ? 0 : (left * down) >> bits;
      const rightBelow = nearest ? 0 : (right * down) >> bits;
      const stride = i32[record + 1]!;
      const top = row * stride + column;
      const below = top + stride;
      for (let channel = 0; channel < 3; channel += 1) {
        const texel = (at: number) => this.#texel(i32[record]!, at * 4 + channel, wide);
        sum[channel]! +=
          texel(top) * (left - leftBelow) +
          texel(below) * leftBelow +
          texel(top + 1) * (right - rightBelow) +
          texel(below + 1) * rightBelow;
      }
    }
    const shiftBack = wide ? 14 : 7;
    this.red = sum[0]! >> shiftBack;
    this.green = sum[1]! >> shiftBack;
    this.blue = sum[2]! >> shiftBack;
  }

  /** One texel of the nearest level. */
  takeTexel(texture: number, level: number, u: number, v: number): void {
    const { i32, f32 } = this.#memory;
    const wide = i32[(texture + TEXTURE.wide) >> 2] === 1;
    const wholeLevel = Math.trunc(level);
    const between = Math.trunc(fround(fround(level - wholeLevel) * WHOLE));
    const nearest = wholeLevel + (between >= WHOLE / 2 ? 1 : 0);
    const record = (texture + TEXTURE.levels + nearest * TEXTURE.levelBytes) >> 2;
    const inU = wrap(u, i32[(texture + TEXTURE.wrapU) >> 2]!);
    const inV = wrap(v, i32[(texture + TEXTURE.wrapV) >> 2]!);
    const [column] = place(inU, f32[record + 2]!, 1, wide); // the level has a border
    const [row] = place(inV, f32[record + 3]!, 1, wide);
    const at = (row * i32[record + 1]! + column) * 4;
    const light = (channel: number) => this.#texel(i32[record]!, at + channel, wide) << (wide ? 0 : 7);
    this.red = light(0);
    this.green = light(1);
    this.blue = light(2);
  }

  /** A channel of a level: a byte, or linear light. */
  #texel(level: number, index: number, wide: boolean): number {
    const { u8, i16 } = this.#memory;
    return wide ? i16[level / 2 + index]! : u8[level + index]!;
  }
}

/**
 * The texel at a coordinate, and the share of the next one: in 1/256 texels, or 1/16384 where texels are linear light,
 * because next to black a small share of light is a large difference of bytes.
 *
 * @param size   Texels of the level, times 256.
 * @param shift  Texels.
 */
function place(at: number, size: number, shift: number, wide: boolean): readonly [texel: number, share: number] {
  if (wide) {
    const position = fround(fround(at * (size / 256)) + shift);
    const texel = Math.floor(position);
    return [texel, Math.trunc(fround(position - texel) * WHOLE)];
  }
  const position = fround(fround(at * size) + ROUNDING + shift * 256) - ROUNDING;
  return [position >> 8, position & 255];
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
