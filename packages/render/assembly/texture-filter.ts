/**
 * Reads textures: trilinear filtering and the fast filter, in the same steps as
 * `test-support/typescript-kernel/texture-filter.ts`, which explains them. Texel weights are 16-bit lanes, multiplied and
 * added in pairs.
 */
import { LEVEL_BYTES, TEXTURE_LEVELS, TEXTURE_WRAP_U, TEXTURE_WRAP_V, WRAP_CLAMP, WRAP_REPEAT } from './layout';
import { toBytes } from './output-bytes';
import { distancesOf } from './planes';
import { BASE, WHOLE } from './texture-levels';

const ROUNDING: f32 = 12582912;
/** For four positions: the address of the upper left texel, and the weights of the left and the right pair, i32 [3, 4]. */
const PLACES: i32 = <i32>memory.data(48);
const HALF32: i32 = <i32>memory.data<u32>([64, 64, 64, 64]);
const HALF_WIDE: i32 = <i32>memory.data<u32>([8192, 8192, 8192, 8192]);

/** Four filtered texels, multiplied by the light, from the planes at the four pixels. */
// @ts-ignore: decorator
@inline
export function lookUp(
  texture: i32,
  wrapU: i32,
  wrapV: i32,
  nearest: bool,
  level: i32,
  between: i32,
  inverseW: v128,
  u: v128,
  v: v128,
  factor01: v128,
  factor23: v128,
): v128 {
  const distances = distancesOf(inverseW);
  const us = wrap(f32x4.mul(u, distances), wrapU);
  const vs = wrap(f32x4.mul(v, distances), wrapV);
  const shift = f32x4.splat(nearest ? ROUNDING + 256 : ROUNDING + 128);
  const mask = i32x4.splat(nearest ? 0 : 255);
  const record = texture + TEXTURE_LEVELS + level * LEVEL_BYTES;
  const below0 = place(record, us, vs, shift, mask, i32x4.splat(WHOLE - between));
  let pixel0 = four(0, below0);
  let pixel1 = four(4, below0);
  let pixel2 = four(8, below0);
  let pixel3 = four(12, below0);
  if (between) {
    const below1 = place(record + LEVEL_BYTES, us, vs, shift, mask, i32x4.splat(between));
    pixel0 = i32x4.add(pixel0, four(0, below1));
    pixel1 = i32x4.add(pixel1, four(4, below1));
    pixel2 = i32x4.add(pixel2, four(8, below1));
    pixel3 = i32x4.add(pixel3, four(12, below1));
  }
  return toBytes(fifteenBits(pixel0, pixel1), fifteenBits(pixel2, pixel3), factor01, factor23);
}

/** The same for texels of linear light; with `nearest`, of one texel each. */
export function lookUpWide(
  texture: i32,
  nearest: bool,
  level: i32,
  between: i32,
  inverseW: v128,
  u: v128,
  v: v128,
  factor01: v128,
  factor23: v128,
): v128 {
  const distances = distancesOf(inverseW);
  const us = wrap(f32x4.mul(u, distances), load<i32>(texture, TEXTURE_WRAP_U));
  const vs = wrap(f32x4.mul(v, distances), load<i32>(texture, TEXTURE_WRAP_V));
  const shift = f32x4.splat(nearest ? 1 : 0.5); // levels have a border
  const mask = i32x4.splat(nearest ? 0 : WHOLE - 1);
  const record = texture + TEXTURE_LEVELS + level * LEVEL_BYTES;
  const below0 = placeWide(record, us, vs, shift, mask, i32x4.splat(WHOLE - between));
  let pixel0 = fourWide(0, below0);
  let pixel1 = fourWide(4, below0);
  let pixel2 = fourWide(8, below0);
  let pixel3 = fourWide(12, below0);
  if (between) {
    const below1 = placeWide(record + LEVEL_BYTES, us, vs, shift, mask, i32x4.splat(between));
    pixel0 = i32x4.add(pixel0, fourWide(0, below1));
    pixel1 = i32x4.add(pixel1, fourWide(4, below1));
    pixel2 = i32x4.add(pixel2, fourWide(8, below1));
    pixel3 = i32x4.add(pixel3, fourWide(12, below1));
  }
  return toBytes(fromWide(pixel0, pixel1), fromWide(pixel2, pixel3), factor01, factor23);
}

/**
 * Stores where four positions lie in a level and how much each texel counts, because engines load a lane faster than they
 * extract it.
 *
 * @returns The bytes from a texel to the one below.
 */
// @ts-ignore: decorator
@inline
function place(record: i32, us: v128, vs: v128, shift: v128, mask: v128, weight: v128): i32 {
  const base = v128.load(BASE);
  const x = i32x4.sub(f32x4.add(f32x4.mul(us, v128.load32_splat(record, 8)), shift), base);
  const y = i32x4.sub(f32x4.add(f32x4.mul(vs, v128.load32_splat(record, 12)), shift), base);
  const stride = load<i32>(record, 4);
  v128.store(PLACES, addresses(record, stride, x, y));
  const part = v128.and(y, mask);
  // products of numbers below 2^15, one in each 32-bit lane
  const right = i32x4.shr_u(i32x4.dot_i16x8_s(weight, v128.and(x, mask)), 8);
  v128.store(PLACES, pair(i32x4.sub(weight, right), part), 16);
  v128.store(PLACES, pair(right, part), 32);
  return stride << 2;
}

/** Four texels of the tile's level, multiplied by the light. */
// @ts-ignore: decorator
@inline
export function lookUpFast(
  texture: i32,
  wrapU: i32,
  wrapV: i32,
  level: i32,
  inverseW: v128,
  u: v128,
  v: v128,
  factor01: v128,
  factor23: v128,
): v128 {
  const distances = distancesOf(inverseW);
  const shift = f32x4.splat(ROUNDING + 256);
  const base = v128.load(BASE);
  const record = texture + TEXTURE_LEVELS + level * LEVEL_BYTES;
  const x = i32x4.sub(f32x4.add(f32x4.mul(wrap(f32x4.mul(u, distances), wrapU), v128.load32_splat(record, 8)), shift), base);
  const y = i32x4.sub(f32x4.add(f32x4.mul(wrap(f32x4.mul(v, distances), wrapV), v128.load32_splat(record, 12)), shift), base);
  const at = addresses(record, load<i32>(record, 4), x, y);
  let texels = v128.load32_zero(i32x4.extract_lane(at, 0));
  texels = v128.load32_lane(i32x4.extract_lane(at, 1), texels, 1);
  texels = v128.load32_lane(i32x4.extract_lane(at, 2), texels, 2);
  texels = v128.load32_lane(i32x4.extract_lane(at, 3), texels, 3);
  return toBytes(
    i16x8.shl(i16x8.extend_low_i8x16_u(texels), 7),
    i16x8.shl(i16x8.extend_high_i8x16_u(texels), 7),
    factor01,
    factor23,
  );
}

/** Addresses of the upper left of the four texels around each position, which is given in 1/256 texels. */
// @ts-ignore: decorator
@inline
function addresses(record: i32, stride: i32, x: v128, y: v128): v128 {
  const rows = i32x4.dot_i16x8_s(i32x4.shr_u(y, 8), i32x4.splat(stride));
  return i32x4.add(i32x4.shl(i32x4.add(rows, i32x4.shr_u(x, 8)), 2), v128.load32_splat(record));
}

/** Splits a weight between the upper texel (low half) and the lower texel (high half). */
// @ts-ignore: decorator
@inline
function pair(weight: v128, part: v128): v128 {
  const below = i32x4.shr_u(i32x4.dot_i16x8_s(weight, part), 8);
  return v128.or(i32x4.sub(weight, below), i32x4.shl(below, 16));
}

/** Weighted sum of the four texels around a position, one i32 per channel. */
// @ts-ignore: decorator
@inline
function four(lane: i32, below: i32): v128 {
  const at = load<i32>(PLACES + lane);
  const top = v128.load64_zero(at);
  const bottom = v128.load64_zero(at + below);
  const texels = v128.shuffle<u8>(top, bottom, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  return i32x4.add(
    i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(texels), v128.load32_splat(PLACES + lane, 16)),
    i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(texels), v128.load32_splat(PLACES + lane, 32)),
  );
}

/**
 * The same for texels of linear light, with positions in 1/16384 texels: next to black, a small share of light is a
 * large difference of bytes.
 */
// @ts-ignore: decorator
@inline
function placeWide(record: i32, us: v128, vs: v128, shift: v128, mask: v128, weight: v128): i32 {
  const texels = f32x4.splat(1.0 / 256);
  const fine = f32x4.splat(<f32>WHOLE);
  const x = f32x4.add(f32x4.mul(us, f32x4.mul(v128.load32_splat(record, 8), texels)), shift);
  const y = f32x4.add(f32x4.mul(vs, f32x4.mul(v128.load32_splat(record, 12), texels)), shift);
  const column = f32x4.floor(x);
  const row = f32x4.floor(y);
  const stride = load<i32>(record, 4);
  const rows = i32x4.mul(i32x4.trunc_sat_f32x4_s(row), i32x4.splat(stride));
  const index = i32x4.add(rows, i32x4.trunc_sat_f32x4_s(column));
  v128.store(PLACES, i32x4.add(i32x4.shl(index, 3), v128.load32_splat(record)));
  const across = v128.and(i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(x, column), fine)), mask);
  const down = v128.and(i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(y, row), fine)), mask);
  const right = i32x4.shr_u(i32x4.dot_i16x8_s(weight, across), 14);
  const left = i32x4.sub(weight, right);
  const leftBelow = i32x4.shr_u(i32x4.dot_i16x8_s(left, down), 14);
  const rightBelow = i32x4.shr_u(i32x4.dot_i16x8_s(right, down), 14);
  v128.store(PLACES, v128.or(i32x4.sub(left, leftBelow), i32x4.shl(leftBelow, 16)), 16);
  v128.store(PLACES, v128.or(i32x4.sub(right, rightBelow), i32x4.shl(rightBelow, 16)), 32);
  return stride << 3;
}

/** The same for texels of linear light. */
// @ts-ignore: decorator
@inline
function fourWide(lane: i32, below: i32): v128 {
  const at = load<i32>(PLACES + lane);
  const top = v128.load(at);
  const bottom = v128.load(at + below);
  return i32x4.add(
    i32x4.dot_i16x8_s(v128.shuffle<u16>(top, bottom, 0, 8, 1, 9, 2, 10, 3, 11), v128.load32_splat(PLACES + lane, 16)),
    i32x4.dot_i16x8_s(v128.shuffle<u16>(top, bottom, 4, 12, 5, 13, 6, 14, 7, 15), v128.load32_splat(PLACES + lane, 32)),
  );
}

// @ts-ignore: decorator
@inline
function fromWide(one: v128, other: v128): v128 {
  const half = v128.load(HALF_WIDE);
  return i16x8.narrow_i32x4_s(i32x4.shr_u(i32x4.add(one, half), 14), i32x4.shr_u(i32x4.add(other, half), 14));
}

// @ts-ignore: decorator
@inline
function fifteenBits(one: v128, other: v128): v128 {
  const half = v128.load(HALF32);
  return i16x8.narrow_i32x4_s(i32x4.shr_u(i32x4.add(one, half), 7), i32x4.shr_u(i32x4.add(other, half), 7));
}

// @ts-ignore: decorator
@inline
function wrap(values: v128, mode: i32): v128 {
  const zero = f32x4.splat(0);
  if (mode == WRAP_REPEAT) return f32x4.pmax(zero, f32x4.sub(values, f32x4.floor(values)));
  const one = f32x4.splat(1);
  if (mode == WRAP_CLAMP) return f32x4.pmax(zero, f32x4.min(values, one));
  const half = f32x4.mul(values, f32x4.splat(0.5));
  const phase = f32x4.sub(half, f32x4.floor(half));
  return f32x4.pmax(zero, f32x4.sub(one, f32x4.abs(f32x4.sub(f32x4.mul(phase, f32x4.splat(2)), one))));
}
