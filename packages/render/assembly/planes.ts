/**
 * Values that are linear over a tile: 1/w, texture coordinates over w, light over w. A group of four pixels is one vector.
 *
 * What does not change from row to row is kept in memory. Otherwise engines recompute in every row what does not fit into
 * registers, and build every constant vector from 64-bit halves.
 */
import { TILE } from './layout';

export const NUMBERS: i32 = <i32>memory.data<f32>([0, 1, 2, 3, 4, 5, 6, 7]);
export const ONES: i32 = <i32>memory.data<f32>([1, 1, 1, 1]);
/** 1/w, u/w and v/w at the tile's first pixel, f32 [3]. */
const CORNERS: i32 = <i32>memory.data(12);
/** Steps of 1/w, u/w and v/w from pixel to pixel, across and down, f32 [3, 2]. */
export const STEPS: i32 = <i32>memory.data(24);
let leastInverseW: f32 = 0;

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
export function setUpPlane(index: i32, at: i32, x: i32, y: i32): void {
  store<f32>(CORNERS + index * 4, cornerOf(at, x, y));
  store<f32>(STEPS + index * 8, stepX(at));
  store<f32>(STEPS + index * 8, stepY(at), 4);
}

// @ts-ignore: decorator
@inline
export function planeOf(index: i32, across: v128, down: v128): v128 {
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
