/**
 * Levels of detail: which mipmap level a pixel reads, and how much of the next one, in the same steps as
 * `test-support/typescript-kernel/texture-filter.ts`, which explains them.
 */
import { TEXTURE_LAST_LEVEL, TEXTURE_LEVELS } from './layout';
import { ONES, SETUP_FAST_LEVEL, SETUP_KNOWN, SETUP_LEVELS, SETUP_STEPS, countFrom, distancesOf, planeOf } from './planes';

const THIRD: f32 = 0.3333333432674408;
const TWO_THIRDS: f32 = 0.6666666865348816;
/** The weight of a level that is read alone. */
export const WHOLE: i32 = 16384;
/** Two levels and weights of the fast filter, i32 [2, 4]. */
const FAST_LEVELS: i32 = <i32>memory.data(32);
/** The bits of 1.5 * 2^23, to which whole numbers are added. */
export const BASE: i32 = <i32>memory.data<u32>([0x4b400000, 0x4b400000, 0x4b400000, 0x4b400000]);

/** The mipmap level nearest to the level of detail at the middle of the tile. */
export function setUpFastLevel(setup: i32, texture: i32): void {
  const middle = f32x4.splat(3.5);
  storeLevels(FAST_LEVELS, setup, texture, middle, middle);
  const whole = load<i32>(FAST_LEVELS);
  store<i32>(setup, load<i32>(FAST_LEVELS, 16) >= WHOLE / 2 ? whole + 1 : whole, SETUP_FAST_LEVEL);
}

/** The address of the level at the middle of four pixels; 16 bytes on, the weight of the next one. */
// @ts-ignore: decorator
@inline
export function levelOf(setup: i32, texture: i32, x: i32, y: i32): i32 {
  const part = ((x & 4) >> 1) | ((y & 4) >> 2);
  const levels = setup + SETUP_LEVELS + part * 32;
  const known = load<i32>(setup, SETUP_KNOWN);
  if (!((known >> part) & 1)) {
    store<i32>(setup, known | (1 << part), SETUP_KNOWN);
    storeLevels(levels, setup, texture, f32x4.splat(<f32>(x & 4) + 1.5), countFrom(y & 4));
  }
  return levels + (y & 3) * 4;
}

/** Stores the levels of detail at four positions of the tile. */
function storeLevels(to: i32, setup: i32, texture: i32, across: v128, down: v128): void {
  const width = v128.load32_splat(texture, TEXTURE_LEVELS + 8);
  const height = v128.load32_splat(texture, TEXTURE_LEVELS + 12);
  const inverseWX = v128.load32_splat(setup, SETUP_STEPS);
  const inverseWY = v128.load32_splat(setup, SETUP_STEPS + 4);
  const uX = v128.load32_splat(setup, SETUP_STEPS + 8);
  const uY = v128.load32_splat(setup, SETUP_STEPS + 12);
  const vX = v128.load32_splat(setup, SETUP_STEPS + 16);
  const vY = v128.load32_splat(setup, SETUP_STEPS + 20);
  const far = distancesOf(planeOf(setup, 0, across, down));
  const u = f32x4.mul(planeOf(setup, 1, across, down), far);
  const v = f32x4.mul(planeOf(setup, 2, across, down), far);
  const squares = f32x4.pmax(
    f32x4.add(change(uX, u, inverseWX, far, width), change(vX, v, inverseWX, far, height)),
    f32x4.add(change(uY, u, inverseWY, far, width), change(vY, v, inverseWY, far, height)),
  );
  const mantissa = v128.or(v128.and(squares, i32x4.splat(0x7fffff)), v128.load(ONES));
  const line = f32x4.add(f32x4.mul(f32x4.splat(-THIRD), mantissa), f32x4.splat(2));
  const curve = f32x4.sub(f32x4.mul(line, mantissa), f32x4.splat(TWO_THIRDS));
  const exponent = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_s(squares, 23), i32x4.splat(128 + 16)));
  const level = f32x4.mul(f32x4.add(exponent, curve), f32x4.splat(0.5));
  const zero = f32x4.splat(0);
  const last = f32x4.splat(<f32>load<i32>(texture, TEXTURE_LAST_LEVEL));
  const bounded = v128.and(f32x4.pmin(f32x4.pmax(level, zero), last), f32x4.gt(squares, zero));
  const whole = f32x4.floor(bounded);
  const between = f32x4.floor(f32x4.mul(f32x4.sub(bounded, whole), f32x4.splat(<f32>WHOLE)));
  v128.store(to, integers(whole));
  v128.store(to, integers(between), 16);
}

/** Converts whole numbers below 2^21 to integers. */
// @ts-ignore: decorator
@inline
function integers(numbers: v128): v128 {
  return i32x4.sub(f32x4.add(numbers, v128.load(BASE)), v128.load(BASE));
}

/** The squared change of a texture coordinate from one pixel to the next, in 1/256 texels. */
// @ts-ignore: decorator
@inline
function change(step: v128, value: v128, inverseWStep: v128, far: v128, size: v128): v128 {
  const by = f32x4.mul(f32x4.mul(f32x4.sub(step, f32x4.mul(value, inverseWStep)), far), size);
  return f32x4.mul(by, by);
}
