/**
 * Colors of one surface at four pixels, or in a whole tile, in the same steps as `test-support/typescript-kernel/surface-colors.ts`, which explains them.
 */
import {
  FRAME_ENCODING,
  FRAME_FAR,
  FRAME_FAST,
  FRAME_ORTHOGRAPHIC,
  LIGHT_STEPS,
  SURFACE_BLUE,
  SURFACE_FLAT_FACTOR,
  SURFACE_GREEN,
  SURFACE_RED,
  SURFACE_SHADED,
  SURFACE_TEXTURE,
  TEXTURE_NEAREST,
  TEXTURE_WIDE,
  TEXTURE_WRAP_U,
  TEXTURE_WRAP_V,
  TILE,
} from './layout';
import {
  NUMBERS,
  SETUP_FAST_LEVEL,
  SETUP_STEPS,
  countFrom,
  distancesOf,
  factorOf,
  forgetSetups,
  planeOf,
  setLeastInverseW,
  setUpPlanes,
  setupOf,
} from './planes';
import { setEncoding, toBytes } from './output-bytes';
import { lookUp, lookUpFast, lookUpWide } from './texture-filter';
import { levelOf, setUpFastLevel } from './texture-levels';

/** 1/w, u/w and v/w at four pixels of the first row, f32 [3, 4]. */
const STARTS: i32 = <i32>memory.data(48);
let fast: bool = false;

// @ts-ignore: decorator
@inline
function setUp(setup: i32, address: i32, texture: i32, x: i32, y: i32): void {
  if (setUpPlanes(setup, address, x, y) && fast && texture) setUpFastLevel(setup, texture);
}

/** Colors of a surface that has a texture or varying light. */
export function shadeSurface(address: i32, x: i32, y: i32): v128 {
  const texture = load<i32>(address, SURFACE_TEXTURE);
  const across = countFrom(x & (TILE - 1));
  const down = f32x4.splat(<f32>(y & (TILE - 1)));
  const setup = setupOf(address);
  setUp(setup, address, texture, x, y);
  const inverseW = planeOf(setup, 0, across, down);
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
    const white = i16x8.splat(<i16>LIGHT_STEPS);
    return toBytes(white, white, factor01, factor23);
  }
  if (load<i32>(texture, TEXTURE_WIDE)) {
    const level = fast ? setup + SETUP_FAST_LEVEL : levelOf(setup, texture, x, y);
    return lookUpWide(
      texture,
      fast || load<i32>(texture, TEXTURE_NEAREST) != 0,
      load<i32>(level),
      fast ? 0 : load<i32>(level, 16),
      inverseW,
      planeOf(setup, 1, across, down),
      planeOf(setup, 2, across, down),
      factor01,
      factor23,
    );
  }
  if (fast) {
    const wrapU = load<i32>(texture, TEXTURE_WRAP_U);
    const wrapV = load<i32>(texture, TEXTURE_WRAP_V);
    const u = planeOf(setup, 1, across, down);
    const v = planeOf(setup, 2, across, down);
    const level = load<i32>(setup, SETUP_FAST_LEVEL);
    return lookUpFast(texture, wrapU, wrapV, level, inverseW, u, v, factor01, factor23);
  }
  const level = levelOf(setup, texture, x, y);
  return lookUp(
    texture,
    load<i32>(texture, TEXTURE_WRAP_U),
    load<i32>(texture, TEXTURE_WRAP_V),
    load<i32>(texture, TEXTURE_NEAREST) != 0,
    load<i32>(level),
    load<i32>(level, 16),
    inverseW,
    planeOf(setup, 1, across, down),
    planeOf(setup, 2, across, down),
    factor01,
    factor23,
  );
}

/** Shades a whole tile of one textured surface with constant light. */
export function shadeTextured(address: i32, left: i32, top: i32, rows: i32, groups: i32, color: i32, stride: i32): void {
  const texture = load<i32>(address, SURFACE_TEXTURE);
  if (load<i32>(texture, TEXTURE_WIDE)) {
    for (let y = 0; y < rows; y += 1) {
      for (let group = 0; group < groups; group += 1) {
        v128.store(color + y * stride + group * 16, shadeSurface(address, left + group * 4, top + y));
      }
    }
    return;
  }
  const wrapU = load<i32>(texture, TEXTURE_WRAP_U);
  const wrapV = load<i32>(texture, TEXTURE_WRAP_V);
  const nearest = load<i32>(texture, TEXTURE_NEAREST) != 0;
  const setup = setupOf(address);
  setUp(setup, address, texture, left, top);
  const fastLevel = load<i32>(setup, SETUP_FAST_LEVEL);
  const factor = v128.load64_splat(address, SURFACE_FLAT_FACTOR);
  const none = f32x4.splat(0);
  for (let group = 0; group < groups; group += 1) {
    const across = countFrom(group * 4);
    v128.store(STARTS, planeOf(setup, 0, across, none));
    v128.store(STARTS, planeOf(setup, 1, across, none), 16);
    v128.store(STARTS, planeOf(setup, 2, across, none), 32);
    if (fast) {
      for (let y = 0; y < rows; y += 1) {
        const down = v128.load32_splat(NUMBERS + y * 4);
        const pixels = lookUpFast(
          texture,
          wrapU,
          wrapV,
          fastLevel,
          f32x4.add(v128.load(STARTS), f32x4.mul(v128.load32_splat(setup, SETUP_STEPS + 4), down)),
          f32x4.add(v128.load(STARTS, 16), f32x4.mul(v128.load32_splat(setup, SETUP_STEPS + 12), down)),
          f32x4.add(v128.load(STARTS, 32), f32x4.mul(v128.load32_splat(setup, SETUP_STEPS + 20), down)),
          factor,
          factor,
        );
        v128.store(color + y * stride + group * 16, pixels);
      }
      continue;
    }
    for (let y = 0; y < rows; y += 1) {
      const level = levelOf(setup, texture, group * 4, y);
      const down = v128.load32_splat(NUMBERS + y * 4);
      const pixels = lookUp(
        texture,
        wrapU,
        wrapV,
        nearest,
        load<i32>(level),
        load<i32>(level, 16),
        f32x4.add(v128.load(STARTS), f32x4.mul(v128.load32_splat(setup, SETUP_STEPS + 4), down)),
        f32x4.add(v128.load(STARTS, 16), f32x4.mul(v128.load32_splat(setup, SETUP_STEPS + 12), down)),
        f32x4.add(v128.load(STARTS, 32), f32x4.mul(v128.load32_splat(setup, SETUP_STEPS + 20), down)),
        factor,
        factor,
      );
      v128.store(color + y * stride + group * 16, pixels);
    }
  }
}

/** Starts a frame. */
export function startSurfaces(frame: i32): void {
  forgetSetups();
  fast = load<i32>(frame, FRAME_FAST) != 0;
  setEncoding(load<i32>(frame, FRAME_ENCODING));
  setLeastInverseW(<f32>(load<i32>(frame, FRAME_ORTHOGRAPHIC) ? 0.5 : 0.5 / load<f64>(frame, FRAME_FAR)));
}
