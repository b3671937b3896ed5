/**
 * Values that are linear over a tile: 1/w, texture coordinates over w, light over w. A group of four pixels is one vector.
 *
 * Values that do not change from row to row are kept in memory. Otherwise engines recompute in every row the values that do
 * not fit into registers, and build every constant vector from 64-bit halves.
 */
import { SURFACE_INVERSE_W, SURFACE_U, SURFACE_V, TILE } from './layout';

export const NUMBERS: i32 = <i32>memory.data<f32>([0, 1, 2, 3, 4, 5, 6, 7]);
export const ONES: i32 = <i32>memory.data<f32>([1, 1, 1, 1]);
let leastInverseW: f32 = 0;

/**
 * A cache of values per surface and tile, for the last eight surfaces, because surfaces take turns within a tile:
 * the surface and the tile; 1/w, u/w and v/w at the tile's first pixel, f32 [3]; their steps from pixel to pixel, across
 * and down, f32 [3, 2]; mipmap levels (`texture-levels.ts`).
 */
const SETUPS: i32 = <i32>memory.data(8 * 192);
const SETUP_BYTES: i32 = 192;
const SETUP_TILE: i32 = 4;
const SETUP_CORNERS: i32 = 8;
export const SETUP_STEPS: i32 = 20;
/** One bit per half of four rows: set once its levels are computed. */
export const SETUP_KNOWN: i32 = 44;
/** The level of the fast filter. */
export const SETUP_FAST_LEVEL: i32 = 48;
/** [2 halves, 2 times 4 rows]: the finer mipmap level and the weight of the next coarser one, i32 [2, 4]. */
export const SETUP_LEVELS: i32 = 64;

/** Forgets the surfaces of the last frame. */
export function forgetSetups(): void {
  for (let index = 0; index < 8; index += 1) store<i32>(SETUPS + index * SETUP_BYTES, 0);
}

/** The place of a surface's setup in the pixel's tile. */
// @ts-ignore: decorator
@inline
export function setupOf(address: i32): i32 {
  return SETUPS + ((address >> 4) & 7) * SETUP_BYTES;
}

/** Computes the planes of a surface in the pixel's tile. @returns False if they were known. */
// @ts-ignore: decorator
@inline
export function setUpPlanes(setup: i32, address: i32, x: i32, y: i32): bool {
  const tile = ((y & -TILE) << 16) | (x & -TILE);
  if (load<i32>(setup) == address && load<i32>(setup, SETUP_TILE) == tile) return false;
  store<i32>(setup, address);
  store<i32>(setup, tile, SETUP_TILE);
  store<i32>(setup, 0, SETUP_KNOWN);
  setUpPlane(setup, 0, address + SURFACE_INVERSE_W, x, y);
  setUpPlane(setup, 1, address + SURFACE_U, x, y);
  setUpPlane(setup, 2, address + SURFACE_V, x, y);
  return true;
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
export function countFrom(first: i32): v128 {
  return v128.load(NUMBERS + first * 4);
}

/** corner + x * across + y * down, for pixels of a tile. */
// @ts-ignore: decorator
@inline
function plane(corner: v128, x: v128, across: v128, y: v128, down: v128): v128 {
  return f32x4.add(f32x4.add(corner, f32x4.mul(x, across)), f32x4.mul(y, down));
}

// @ts-ignore: decorator
@inline
function setUpPlane(setup: i32, index: i32, at: i32, x: i32, y: i32): void {
  store<f32>(setup + index * 4, cornerOf(at, x, y), SETUP_CORNERS);
  store<f32>(setup + index * 8, stepX(at), SETUP_STEPS);
  store<f32>(setup + index * 8, stepY(at), SETUP_STEPS + 4);
}

// @ts-ignore: decorator
@inline
export function planeOf(setup: i32, index: i32, across: v128, down: v128): v128 {
  return plane(
    v128.load32_splat(setup + index * 4, SETUP_CORNERS),
    v128.load32_splat(setup + index * 8, SETUP_STEPS),
    across,
    v128.load32_splat(setup + index * 8, SETUP_STEPS + 4),
    down,
  );
}

// @ts-ignore: decorator
@inline
export function distancesOf(inverseW: v128): v128 {
  return f32x4.div(v128.load(ONES), f32x4.pmax(inverseW, f32x4.splat(leastInverseW)));
}

// @ts-ignore: decorator
@inline
export function factorOf(at: i32, x: i32, y: i32, distances: v128): v128 {
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

/** The least 1/w of this frame: nothing beyond the far plane is shaded. */
export function setLeastInverseW(least: f32): void {
  leastInverseW = least;
}
