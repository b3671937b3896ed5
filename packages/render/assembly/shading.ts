/**
 * Colors and other outputs, in the same steps as `src/soft/typescript/shading.ts`, which explains them. A group of four
 * pixels is one vector. Texel weights are 16-bit lanes, multiplied and added in pairs.
 */
import {
  FRAME_CLEAR_COLOR,
  FRAME_COLOR,
  FRAME_DEPTH,
  FRAME_FAR,
  FRAME_FAST,
  FRAME_HEIGHT,
  FRAME_INSTANCES,
  FRAME_NEAR,
  FRAME_ORTHOGRAPHIC,
  FRAME_PRIMITIVES,
  FRAME_RGB,
  FRAME_RGBA,
  FRAME_SAMPLES,
  FRAME_SAMPLE_DATA,
  FRAME_SEGMENTS,
  FRAME_TILES,
  FRAME_TILES_X,
  FRAME_TILES_Y,
  FRAME_WIDTH,
  LEVEL_BYTES,
  SURFACE_BLUE,
  SURFACE_BYTES,
  SURFACE_FLAT_COLOR,
  SURFACE_FLAT_FACTOR,
  SURFACE_GREEN,
  SURFACE_INSTANCE,
  SURFACE_INVERSE_W,
  SURFACE_NEARNESS,
  SURFACE_RED,
  SURFACE_SEGMENT,
  SURFACE_SHADED,
  SURFACE_TEXTURE,
  SURFACE_U,
  SURFACE_V,
  TEXTURE_LAST_LEVEL,
  TEXTURE_LEVELS,
  TEXTURE_NEAREST,
  TEXTURE_WRAP_U,
  TEXTURE_WRAP_V,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_SPLIT,
  WRAP_CLAMP,
  WRAP_REPEAT,
} from './layout';

const THIRD: f32 = 0.3333333432674408;
const TWO_THIRDS: f32 = 0.6666666865348816;
const WHOLE: i32 = 16384;
const ROUNDING: f32 = 12582912;

/** Surface numbers of four pixels, i32 [4]. */
const OWNERS: i32 = <i32>memory.data(16);

// Values that do not change from row to row are kept in memory. Otherwise engines recompute in every row what does not
// fit into registers, and build every constant vector from 64-bit halves.
/** 1/w, u/w and v/w at the tile's first pixel, f32 [3]. */
const CORNERS: i32 = <i32>memory.data(12);
/** Steps of 1/w, u/w and v/w from pixel to pixel, across and down, f32 [3, 2]. */
const STEPS: i32 = <i32>memory.data(24);
/** 1/w, u/w and v/w at four pixels of the first row, f32 [3, 4]. */
const STARTS: i32 = <i32>memory.data(48);
/** For four rows: the finer mipmap level and the weight of the next coarser one, i32 [2, 4]. */
const LEVELS: i32 = <i32>memory.data(32);
const NUMBERS: i32 = <i32>memory.data<f32>([0, 1, 2, 3, 4, 5, 6, 7]);
const ONES: i32 = <i32>memory.data<f32>([1, 1, 1, 1]);
/** The bits of ROUNDING, opaque alpha, and 64 as i32 and as i16. */
const BASE: i32 = <i32>memory.data<u32>([0x4b400000, 0x4b400000, 0x4b400000, 0x4b400000]);
const OPAQUE: i32 = <i32>memory.data<u32>([0xff000000, 0xff000000, 0xff000000, 0xff000000]);
const HALF32: i32 = <i32>memory.data<u32>([64, 64, 64, 64]);
const HALF16: i32 = <i32>memory.data<u16>([64, 64, 64, 64, 64, 64, 64, 64]);

let frame: i32 = 0;
let primitives: i32 = 0;
let leastInverseW: f32 = 0;
/** The surface and the tile for which CORNERS and STEPS were computed. */
let planesOf: i32 = 0;
let planesIn: i32 = 0;
/** Fast filter: the mipmap level of that surface in that tile. */
let fast: bool = false;
let fastLevel: i32 = 0;

export function shadeAll(frameAddress: i32): void {
  frame = frameAddress;
  primitives = load<i32>(frame, FRAME_PRIMITIVES);
  planesOf = 0;
  fast = load<i32>(frame, FRAME_FAST) != 0;
  leastInverseW = <f32>(load<i32>(frame, FRAME_ORTHOGRAPHIC) ? 0.5 : 0.5 / load<f64>(frame, FRAME_FAR));
  const tilesX = load<i32>(frame, FRAME_TILES_X);
  const tilesY = load<i32>(frame, FRAME_TILES_Y);
  for (let row = 0; row < tilesY; row += 1) {
    for (let column = 0; column < tilesX; column += 1) shadeTile(column, row, row * tilesX + column);
  }
  pack();
}

function shadeTile(column: i32, row: i32, index: i32): void {
  const width = load<i32>(frame, FRAME_WIDTH);
  const groupBytes = load<i32>(frame, FRAME_SAMPLES) * 32;
  const state = load<i32>(load<i32>(frame, FRAME_TILES) + index * TILE_BYTES);
  const data = load<i32>(frame, FRAME_SAMPLE_DATA) + index * 16 * groupBytes;
  const stride = load<i32>(frame, FRAME_TILES_X) * TILE * 4;
  const left = column * TILE;
  const top = row * TILE;
  const rows = min(TILE, load<i32>(frame, FRAME_HEIGHT) - top);
  const groups = left + 4 < width ? 2 : 1;
  const colorFrame = load<i32>(frame, FRAME_COLOR);
  const wantsColor = colorFrame != 0;
  const color = colorFrame + top * stride + left * 4;
  const wantsOwners = (load<i32>(frame, FRAME_DEPTH) | load<i32>(frame, FRAME_INSTANCES) | load<i32>(frame, FRAME_SEGMENTS)) != 0;

  if (state == TILE_SPLIT) {
    for (let y = 0; y < rows; y += 1) {
      for (let group = 0; group < groups; group += 1) {
        const ids = data + (y * 2 + group) * groupBytes + groupBytes / 2;
        const x = left + group * 4;
        shadeSamples(ids, groupBytes / 2, x, top + y, wantsColor, color + y * stride + group * 16);
        if (wantsOwners) writeOwners(x, top + y, width);
      }
    }
    return;
  }
  if (wantsColor) {
    const address = primitives + state * SURFACE_BYTES;
    const plain =
      state < 0
        ? load<i32>(frame, FRAME_CLEAR_COLOR)
        : load<i32>(address, SURFACE_TEXTURE) | load<i32>(address, SURFACE_SHADED)
          ? 0
          : load<i32>(address, SURFACE_FLAT_COLOR); // never 0: alpha is 255
    if (plain != 0 || state < 0) {
      const pixels = i32x4.splat(plain);
      for (let y = 0; y < rows; y += 1) {
        const to = color + y * stride;
        v128.store(to, pixels);
        v128.store(to, pixels, 16);
      }
    } else if (load<i32>(address, SURFACE_SHADED)) {
      for (let y = 0; y < rows; y += 1) {
        const to = color + y * stride;
        v128.store(to, shadeSurface(address, left, top + y));
        if (groups == 2) v128.store(to, shadeSurface(address, left + 4, top + y), 16);
      }
    } else {
      shadeTextured(address, left, top, rows, groups, color, stride);
    }
  }
  if (wantsOwners) {
    v128.store(OWNERS, i32x4.splat(state));
    for (let y = 0; y < rows; y += 1) {
      for (let group = 0; group < groups; group += 1) writeOwners(left + group * 4, top + y, width);
    }
  }
}

/** Shades a group with separate samples: `bytes` bytes of surface numbers at `ids`. */
function shadeSamples(ids: i32, bytes: i32, x: i32, y: i32, wantsColor: bool, to: i32): void {
  const first = load<i32>(ids);
  const firsts = i32x4.splat(first);
  let uniform = i32x4.eq(v128.load(ids), firsts);
  for (let sample = 16; sample < bytes; sample += 16) {
    uniform = v128.and(uniform, i32x4.eq(v128.load(ids + sample), firsts));
  }
  if (i32x4.all_true(uniform)) {
    v128.store(OWNERS, firsts);
    if (wantsColor) v128.store(to, shade(first, x, y));
    return;
  }

  const share = i32x4.splat(64 / bytes);
  let sum01 = i16x8.splat(2);
  let sum23 = i16x8.splat(2);
  let owner = i32x4.splat(TILE_EMPTY);
  let ownerCount = i32x4.splat(0);
  let done: u32 = 0;
  const total = bytes >> 2;
  for (let start = 0; start < total; start += 1) {
    if ((done >> start) & 1) continue;
    const surface = load<i32>(ids + start * 4);
    const same = i32x4.splat(surface);
    let count = i32x4.splat(0);
    for (let sample = 0; sample < bytes; sample += 16) {
      const equal = i32x4.eq(v128.load(ids + sample), same);
      done |= <u32>i32x4.bitmask(equal) << (sample >> 2);
      count = i32x4.add(count, v128.and(equal, share));
    }
    const better = i32x4.gt_s(count, ownerCount);
    owner = v128.bitselect(same, owner, better);
    ownerCount = v128.bitselect(count, ownerCount, better);
    if (wantsColor) {
      const pixels = shade(surface, x, y);
      const count01 = v128.shuffle<u8>(count, count, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5);
      const count23 = v128.shuffle<u8>(count, count, 8, 9, 8, 9, 8, 9, 8, 9, 12, 13, 12, 13, 12, 13, 12, 13);
      sum01 = i16x8.add(sum01, i16x8.mul(i16x8.extend_low_i8x16_u(pixels), count01));
      sum23 = i16x8.add(sum23, i16x8.mul(i16x8.extend_high_i8x16_u(pixels), count23));
    }
  }
  v128.store(OWNERS, owner);
  if (wantsColor) v128.store(to, i8x16.narrow_i16x8_u(i16x8.shr_u(sum01, 2), i16x8.shr_u(sum23, 2)));
}

/** Colors of a surface at the centers of the pixels x to x + 3. */
function shade(surface: i32, x: i32, y: i32): v128 {
  if (surface < 0) return i32x4.splat(load<i32>(frame, FRAME_CLEAR_COLOR));
  const address = primitives + surface * SURFACE_BYTES;
  if (!(load<i32>(address, SURFACE_TEXTURE) | load<i32>(address, SURFACE_SHADED))) {
    return v128.load32_splat(address, SURFACE_FLAT_COLOR);
  }
  return shadeSurface(address, x, y);
}

/** A plane at the center of a tile's first pixel. */
// @ts-ignore: decorator
@inline
function cornerOf(at: i32, x: i32, y: i32): f32 {
  return <f32>(load<f64>(at) * (<f64>(x & -TILE) + 0.5) + load<f64>(at, 8) * (<f64>(y & -TILE) + 0.5) + load<f64>(at, 16));
}

// @ts-ignore: decorator
@inline
function stepX(at: i32): f32 {
  return <f32>load<f64>(at);
}

// @ts-ignore: decorator
@inline
function stepY(at: i32): f32 {
  return <f32>load<f64>(at, 8);
}

/** Four consecutive numbers, starting at `first`, which is below 8. */
// @ts-ignore: decorator
@inline
function countFrom(first: i32): v128 {
  return v128.load(NUMBERS + first * 4);
}

/** corner + x * across + y * down, for pixels of a tile. */
// @ts-ignore: decorator
@inline
function plane(corner: v128, x: v128, across: v128, y: v128, down: v128): v128 {
  return f32x4.add(f32x4.add(corner, f32x4.mul(x, across)), f32x4.mul(y, down));
}

/** Computes the planes of a surface in the pixel's tile, unless they are already in memory. */
// @ts-ignore: decorator
@inline
function setUpPlanes(address: i32, x: i32, y: i32): void {
  const tile = ((y & -TILE) << 16) | (x & -TILE);
  if (address == planesOf && tile == planesIn) return;
  planesOf = address;
  planesIn = tile;
  setUpPlane(0, address + SURFACE_INVERSE_W, x, y);
  setUpPlane(1, address + SURFACE_U, x, y);
  setUpPlane(2, address + SURFACE_V, x, y);
  if (fast) setUpFastLevel(load<i32>(address, SURFACE_TEXTURE));
}

/** The mipmap level nearest to the level of detail at the middle of the tile. */
function setUpFastLevel(texture: i32): void {
  if (!texture) return;
  const middle = f32x4.splat(3.5);
  storeLevels(texture, middle, middle);
  fastLevel = load<i32>(LEVELS) + (load<i32>(LEVELS, 16) >= WHOLE / 2 ? 1 : 0);
}

// @ts-ignore: decorator
@inline
function setUpPlane(index: i32, at: i32, x: i32, y: i32): void {
  store<f32>(CORNERS + index * 4, cornerOf(at, x, y));
  store<f32>(STEPS + index * 8, stepX(at));
  store<f32>(STEPS + index * 8, stepY(at), 4);
}

// @ts-ignore: decorator
@inline
function planeOf(index: i32, across: v128, down: v128): v128 {
  return plane(
    v128.load32_splat(CORNERS + index * 4),
    v128.load32_splat(STEPS + index * 8),
    across,
    v128.load32_splat(STEPS + index * 8, 4),
    down,
  );
}

// @ts-ignore: decorator
@inline
function factorOf(at: i32, x: i32, y: i32, distances: v128): v128 {
  const value = f32x4.mul(
    plane(
      f32x4.splat(cornerOf(at, x, y)),
      f32x4.splat(stepX(at)),
      countFrom(x & (TILE - 1)),
      f32x4.splat(stepY(at)),
      f32x4.splat(<f32>(y & (TILE - 1))),
    ),
    distances,
  );
  const unit = f32x4.pmin(f32x4.pmax(f32x4.splat(0), value), v128.load(ONES));
  return i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(unit, f32x4.splat(32767)), f32x4.splat(0.5)));
}

// @ts-ignore: decorator
@inline
function toBytes(pixels01: v128, pixels23: v128, factor01: v128, factor23: v128): v128 {
  const half = v128.load(HALF16);
  const bytes = i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add(i16x8.q15mulr_sat_s(pixels01, factor01), half), 7),
    i16x8.shr_s(i16x8.add(i16x8.q15mulr_sat_s(pixels23, factor23), half), 7),
  );
  return v128.or(bytes, v128.load(OPAQUE));
}

// @ts-ignore: decorator
@inline
function distancesOf(inverseW: v128): v128 {
  return f32x4.div(v128.load(ONES), f32x4.pmax(inverseW, f32x4.splat(leastInverseW)));
}

/** Colors of a surface that has a texture or varying light. */
function shadeSurface(address: i32, x: i32, y: i32): v128 {
  const texture = load<i32>(address, SURFACE_TEXTURE);
  const across = countFrom(x & (TILE - 1));
  const down = f32x4.splat(<f32>(y & (TILE - 1)));
  setUpPlanes(address, x, y);
  const inverseW = planeOf(0, across, down);
  let factor01 = v128.load64_splat(address, SURFACE_FLAT_FACTOR);
  let factor23 = factor01;
  if (load<i32>(address, SURFACE_SHADED)) {
    const distances = distancesOf(inverseW);
    const red = factorOf(address + SURFACE_RED, x, y, distances);
    const green = factorOf(address + SURFACE_GREEN, x, y, distances);
    const blue = factorOf(address + SURFACE_BLUE, x, y, distances);
    const redGreen = v128.or(red, i32x4.shl(green, 16));
    const blueAlpha = v128.or(blue, i32x4.splat(32767 << 16));
    factor01 = v128.shuffle<u32>(redGreen, blueAlpha, 0, 4, 1, 5);
    factor23 = v128.shuffle<u32>(redGreen, blueAlpha, 2, 6, 3, 7);
  }
  if (!texture) {
    const white = i16x8.splat(255 << 7);
    return toBytes(white, white, factor01, factor23);
  }
  if (fast) {
    const wrapU = load<i32>(texture, TEXTURE_WRAP_U);
    const wrapV = load<i32>(texture, TEXTURE_WRAP_V);
    return lookUpFast(texture, wrapU, wrapV, inverseW, planeOf(1, across, down), planeOf(2, across, down), factor01, factor23);
  }
  storeLevels(texture, f32x4.splat(<f32>(x & (TILE - 1)) + 1.5), down);
  return lookUp(
    texture,
    load<i32>(texture, TEXTURE_WRAP_U),
    load<i32>(texture, TEXTURE_WRAP_V),
    load<i32>(texture, TEXTURE_NEAREST) != 0,
    load<i32>(LEVELS),
    load<i32>(LEVELS, 16),
    inverseW,
    planeOf(1, across, down),
    planeOf(2, across, down),
    factor01,
    factor23,
  );
}

/** Shades a whole tile of one textured surface with constant light. */
function shadeTextured(address: i32, left: i32, top: i32, rows: i32, groups: i32, color: i32, stride: i32): void {
  const texture = load<i32>(address, SURFACE_TEXTURE);
  const wrapU = load<i32>(texture, TEXTURE_WRAP_U);
  const wrapV = load<i32>(texture, TEXTURE_WRAP_V);
  const nearest = load<i32>(texture, TEXTURE_NEAREST) != 0;
  setUpPlanes(address, left, top);
  const factor = v128.load64_splat(address, SURFACE_FLAT_FACTOR);
  const none = f32x4.splat(0);
  for (let group = 0; group < groups; group += 1) {
    const across = countFrom(group * 4);
    v128.store(STARTS, planeOf(0, across, none));
    v128.store(STARTS, planeOf(1, across, none), 16);
    v128.store(STARTS, planeOf(2, across, none), 32);
    const middle = f32x4.splat(<f32>(group * 4) + 1.5);
    if (fast) {
      for (let y = 0; y < rows; y += 1) {
        const down = v128.load32_splat(NUMBERS + y * 4);
        const pixels = lookUpFast(
          texture,
          wrapU,
          wrapV,
          f32x4.add(v128.load(STARTS), f32x4.mul(v128.load32_splat(STEPS, 4), down)),
          f32x4.add(v128.load(STARTS, 16), f32x4.mul(v128.load32_splat(STEPS, 12), down)),
          f32x4.add(v128.load(STARTS, 32), f32x4.mul(v128.load32_splat(STEPS, 20), down)),
          factor,
          factor,
        );
        v128.store(color + y * stride + group * 16, pixels);
      }
      continue;
    }
    for (let y = 0; y < rows; y += 1) {
      if ((y & 3) == 0) storeLevels(texture, middle, countFrom(y));
      const levels = LEVELS + (y & 3) * 4;
      const down = v128.load32_splat(NUMBERS + y * 4);
      const pixels = lookUp(
        texture,
        wrapU,
        wrapV,
        nearest,
        load<i32>(levels),
        load<i32>(levels, 16),
        f32x4.add(v128.load(STARTS), f32x4.mul(v128.load32_splat(STEPS, 4), down)),
        f32x4.add(v128.load(STARTS, 16), f32x4.mul(v128.load32_splat(STEPS, 12), down)),
        f32x4.add(v128.load(STARTS, 32), f32x4.mul(v128.load32_splat(STEPS, 20), down)),
        factor,
        factor,
      );
      v128.store(color + y * stride + group * 16, pixels);
    }
  }
}

/** Stores the levels of detail at four positions of the current tile. */
// @ts-ignore: decorator
@inline
function storeLevels(texture: i32, across: v128, down: v128): void {
  const width = v128.load32_splat(texture, TEXTURE_LEVELS + 8);
  const height = v128.load32_splat(texture, TEXTURE_LEVELS + 12);
  const inverseWX = v128.load32_splat(STEPS);
  const inverseWY = v128.load32_splat(STEPS, 4);
  const uX = v128.load32_splat(STEPS, 8);
  const uY = v128.load32_splat(STEPS, 12);
  const vX = v128.load32_splat(STEPS, 16);
  const vY = v128.load32_splat(STEPS, 20);
  const far = distancesOf(planeOf(0, across, down));
  const u = f32x4.mul(planeOf(1, across, down), far);
  const v = f32x4.mul(planeOf(2, across, down), far);
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
  v128.store(LEVELS, integers(whole));
  v128.store(LEVELS, integers(between), 16);
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

/** Four filtered texels, multiplied by the light, from the planes at the four pixels. */
// @ts-ignore: decorator
@inline
function lookUp(
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
  const base = v128.load(BASE);

  const record = texture + TEXTURE_LEVELS + level * LEVEL_BYTES;
  const x0 = i32x4.sub(f32x4.add(f32x4.mul(us, v128.load32_splat(record, 8)), shift), base);
  const y0 = i32x4.sub(f32x4.add(f32x4.mul(vs, v128.load32_splat(record, 12)), shift), base);
  const stride0 = load<i32>(record, 4);
  const below0 = stride0 << 2;
  const at0 = addresses(record, stride0, x0, y0);
  const part0 = v128.and(y0, mask);
  // products of numbers below 2^15, one in each 32-bit lane
  const weight0 = i32x4.splat(WHOLE - between);
  const right0 = i32x4.shr_u(i32x4.dot_i16x8_s(weight0, v128.and(x0, mask)), 8);
  const left0 = pair(i32x4.sub(weight0, right0), part0);
  const rights0 = pair(right0, part0);
  let pixel0 = four(i32x4.extract_lane(at0, 0), below0, v128.shuffle<u32>(left0, left0, 0, 0, 0, 0), v128.shuffle<u32>(rights0, rights0, 0, 0, 0, 0));
  let pixel1 = four(i32x4.extract_lane(at0, 1), below0, v128.shuffle<u32>(left0, left0, 1, 1, 1, 1), v128.shuffle<u32>(rights0, rights0, 1, 1, 1, 1));
  let pixel2 = four(i32x4.extract_lane(at0, 2), below0, v128.shuffle<u32>(left0, left0, 2, 2, 2, 2), v128.shuffle<u32>(rights0, rights0, 2, 2, 2, 2));
  let pixel3 = four(i32x4.extract_lane(at0, 3), below0, v128.shuffle<u32>(left0, left0, 3, 3, 3, 3), v128.shuffle<u32>(rights0, rights0, 3, 3, 3, 3));
  if (between) {
    const x1 = i32x4.sub(f32x4.add(f32x4.mul(us, v128.load32_splat(record, LEVEL_BYTES + 8)), shift), base);
    const y1 = i32x4.sub(f32x4.add(f32x4.mul(vs, v128.load32_splat(record, LEVEL_BYTES + 12)), shift), base);
    const stride1 = load<i32>(record, LEVEL_BYTES + 4);
    const below1 = stride1 << 2;
    const at1 = addresses(record + LEVEL_BYTES, stride1, x1, y1);
    const part1 = v128.and(y1, mask);
    const weight1 = i32x4.splat(between);
    const right1 = i32x4.shr_u(i32x4.dot_i16x8_s(weight1, v128.and(x1, mask)), 8);
    const left1 = pair(i32x4.sub(weight1, right1), part1);
    const rights1 = pair(right1, part1);
    pixel0 = i32x4.add(pixel0, four(i32x4.extract_lane(at1, 0), below1, v128.shuffle<u32>(left1, left1, 0, 0, 0, 0), v128.shuffle<u32>(rights1, rights1, 0, 0, 0, 0)));
    pixel1 = i32x4.add(pixel1, four(i32x4.extract_lane(at1, 1), below1, v128.shuffle<u32>(left1, left1, 1, 1, 1, 1), v128.shuffle<u32>(rights1, rights1, 1, 1, 1, 1)));
    pixel2 = i32x4.add(pixel2, four(i32x4.extract_lane(at1, 2), below1, v128.shuffle<u32>(left1, left1, 2, 2, 2, 2), v128.shuffle<u32>(rights1, rights1, 2, 2, 2, 2)));
    pixel3 = i32x4.add(pixel3, four(i32x4.extract_lane(at1, 3), below1, v128.shuffle<u32>(left1, left1, 3, 3, 3, 3), v128.shuffle<u32>(rights1, rights1, 3, 3, 3, 3)));
  }
  return toBytes(fifteenBits(pixel0, pixel1), fifteenBits(pixel2, pixel3), factor01, factor23);
}

/** Four texels of the tile's level, multiplied by the light. */
// @ts-ignore: decorator
@inline
function lookUpFast(
  texture: i32,
  wrapU: i32,
  wrapV: i32,
  inverseW: v128,
  u: v128,
  v: v128,
  factor01: v128,
  factor23: v128,
): v128 {
  const distances = distancesOf(inverseW);
  const shift = f32x4.splat(ROUNDING + 256);
  const base = v128.load(BASE);
  const record = texture + TEXTURE_LEVELS + fastLevel * LEVEL_BYTES;
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

/** Weighted sum of four texels, one i32 per channel. */
// @ts-ignore: decorator
@inline
function four(at: i32, below: i32, left: v128, right: v128): v128 {
  const top = v128.load64_zero(at);
  const bottom = v128.load64_zero(at + below);
  const texels = v128.shuffle<u8>(top, bottom, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  return i32x4.add(
    i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(texels), left),
    i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(texels), right),
  );
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

function writeOwners(x: i32, y: i32, width: i32): void {
  const depth = load<i32>(frame, FRAME_DEPTH);
  const instances = load<i32>(frame, FRAME_INSTANCES);
  const segments = load<i32>(frame, FRAME_SEGMENTS);
  const near = load<f64>(frame, FRAME_NEAR);
  const far = load<f64>(frame, FRAME_FAR);
  const orthographic = load<i32>(frame, FRAME_ORTHOGRAPHIC) != 0;
  const lanes = min(4, width - x);
  const offset = (y * width + x) * 4;
  for (let lane = 0; lane < lanes; lane += 1) {
    const surface = load<i32>(OWNERS + lane * 4);
    const to = offset + lane * 4;
    const address = primitives + surface * SURFACE_BYTES;
    if (depth) {
      let distance = far;
      if (surface >= 0) {
        const nearness =
          load<f64>(address, SURFACE_NEARNESS) * (<f64>(x + lane) + 0.5) +
          load<f64>(address, SURFACE_NEARNESS + 8) * (<f64>y + 0.5) +
          load<f64>(address, SURFACE_NEARNESS + 16);
        distance = orthographic ? far + nearness * (near - far) : 1 / nearness;
        if (!(nearness > 0 && distance < far)) distance = far;
        if (distance < near) distance = near;
      }
      store<f32>(depth + to, <f32>distance);
    }
    if (instances) store<i32>(instances + to, surface < 0 ? 0 : load<i32>(address, SURFACE_INSTANCE));
    if (segments) store<i32>(segments + to, surface < 0 ? 0 : load<i32>(address, SURFACE_SEGMENT));
  }
}

function pack(): void {
  const width = load<i32>(frame, FRAME_WIDTH);
  const height = load<i32>(frame, FRAME_HEIGHT);
  const stride = load<i32>(frame, FRAME_TILES_X) * TILE * 4;
  const color = load<i32>(frame, FRAME_COLOR);
  const rgb = load<i32>(frame, FRAME_RGB);
  const rgba = load<i32>(frame, FRAME_RGBA);
  for (let y = 0; y < height; y += 1) {
    const row = color + y * stride;
    if (rgba) memory.copy(rgba + y * width * 4, row, width * 4);
    if (rgb) {
      // Each store writes 16 bytes, of which 12 count; the next store overwrites the rest.
      const to = rgb + y * width * 3;
      for (let x = 0; x < width; x += 4) {
        const pixels = v128.load(row + x * 4);
        v128.store(
          to + x * 3,
          v128.shuffle<u8>(pixels, pixels, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15),
        );
      }
    }
  }
}
