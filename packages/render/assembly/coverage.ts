/**
 * Coverage and depth by tiles, in the same steps as `test-support/typescript-kernel/coverage.ts`, which explains them.
 *
 * That kernel draws each primitive when it comes. Here all primitives are known before the first is drawn, so what lies
 * behind others is skipped: the first pass finds for each tile how far one can see.
 */
import {
  EDGE_BYTES,
  FRAME_PRIMITIVES,
  FRAME_PRIMITIVE_COUNT,
  FRAME_TILES,
  FRAME_TILES_X,
  FRAME_TILES_Y,
  SURFACE_BOUNDS,
  SURFACE_BYTES,
  SURFACE_EDGES,
  SURFACE_EDGE_COUNT,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_OCCLUSION,
} from './layout';
import { MARGIN, drawSamples } from './samples';

const DEPTH_MARGIN: f64 = 1e-6;
/** Relative depth difference from which a surface counts as hidden: far more than the error of single precision. */
const OCCLUSION_MARGIN: f64 = 1e-4;

let frame: i32 = 0;
let tilesX: i32 = 0;
let tilesY: i32 = 0;
// the current primitive: its number, record, and nearness
let number: i32 = 0;
let surface: i32 = 0;
let nearnessX: f64 = 0;
let nearnessY: f64 = 0;
let nearness0: f64 = 0;
// the tiles of a row that the primitive reaches, and those that it covers
let first: f64 = 0;
let last: f64 = 0;
let firstFull: f64 = 0;
let lastFull: f64 = 0;

/** Draws the primitives of all draw calls. */
export function coverAll(frameAddress: i32): void {
  frame = frameAddress;
  tilesX = load<i32>(frame, FRAME_TILES_X);
  tilesY = load<i32>(frame, FRAME_TILES_Y);
  const count = load<i32>(frame, FRAME_PRIMITIVE_COUNT);
  for (number = 0; number < count; number += 1) {
    select();
    if (isLarge()) occlude();
  }
  for (number = 0; number < count; number += 1) {
    select();
    drawTiles();
  }
}

// @ts-ignore: decorator
@inline
function select(): void {
  surface = load<i32>(frame, FRAME_PRIMITIVES) + number * SURFACE_BYTES;
  nearnessX = load<f64>(surface);
  nearnessY = load<f64>(surface, 8);
  nearness0 = load<f64>(surface, 16);
}

/** True if the bounds of the primitive can contain a tile. */
// @ts-ignore: decorator
@inline
function isLarge(): bool {
  const width = load<f64>(surface, SURFACE_BOUNDS + 8) - load<f64>(surface, SURFACE_BOUNDS);
  const height = load<f64>(surface, SURFACE_BOUNDS + 24) - load<f64>(surface, SURFACE_BOUNDS + 16);
  return width >= TILE && height >= TILE;
}

// @ts-ignore: decorator
@inline
function firstRow(): i32 {
  return <i32>floor(load<f64>(surface, SURFACE_BOUNDS + 16) / TILE);
}

// @ts-ignore: decorator
@inline
function lastRow(): i32 {
  return min(<i32>floor(load<f64>(surface, SURFACE_BOUNDS + 24) / TILE), tilesY - 1);
}

/** Notes in each tile that the primitive covers that nothing behind it can be seen. */
function occlude(): void {
  const end = lastRow();
  for (let row = firstRow(); row <= end; row += 1) {
    findSpan(row);
    if (!(first <= last)) continue;
    const endFull = <i32>min(last, lastFull);
    for (let column = <i32>max(first, firstFull); column <= endFull; column += 1) {
      const tile = load<i32>(frame, FRAME_TILES) + (row * tilesX + column) * TILE_BYTES;
      const farthest = <f32>(originOf(column, row) + (nearnessX > 0 ? 0 : nearnessX * TILE) + (nearnessY > 0 ? 0 : nearnessY * TILE));
      store<f32>(tile, max(load<f32>(tile, TILE_OCCLUSION), farthest), TILE_OCCLUSION);
    }
  }
}

function drawTiles(): void {
  const endRow = lastRow();
  for (let row = firstRow(); row <= endRow; row += 1) {
    findSpan(row);
    // Spans lie within the bounds only if they are not empty.
    if (!(first <= last)) continue;
    const end = <i32>last;
    for (let column = <i32>first; column <= end; column += 1) {
      drawTile(column, row, <f64>column >= firstFull && <f64>column <= lastFull);
    }
  }
}

function findSpan(row: i32): void {
  first = floor(load<f64>(surface, SURFACE_BOUNDS) / TILE);
  last = <f64>min(<i32>floor(load<f64>(surface, SURFACE_BOUNDS + 8) / TILE), tilesX - 1);
  firstFull = first;
  lastFull = last;
  const edges = surface + SURFACE_EDGES;
  const end = edges + load<i32>(surface, SURFACE_EDGE_COUNT) * EDGE_BYTES;
  for (let at = edges; at < end; at += EDGE_BYTES) {
    const stepX = load<f64>(at) * TILE;
    const b = load<f64>(at, 8);
    const stepY = b * TILE;
    const here = b * <f64>(row * TILE) + load<f64>(at, 16);
    const most = here + (stepX > 0 ? stepX : 0) + (stepY > 0 ? stepY : 0) + MARGIN;
    const least = here + (stepX > 0 ? 0 : stepX) + (stepY > 0 ? 0 : stepY) - MARGIN;
    if (stepX > 1e-8) {
      first = max(first, ceil(-most / stepX));
      firstFull = max(firstFull, ceil(-least / stepX));
    } else if (stepX < -1e-8) {
      last = min(last, floor(-most / stepX));
      lastFull = min(lastFull, floor(-least / stepX));
    } else {
      if (!(most >= 0)) last = -1;
      if (!(least >= 0)) lastFull = -1;
    }
  }
}

/** Nearness at the upper left corner of a tile. */
// @ts-ignore: decorator
@inline
function originOf(column: i32, row: i32): f64 {
  return nearnessX * <f64>(column * TILE) + nearnessY * <f64>(row * TILE) + nearness0;
}

function drawTile(column: i32, row: i32, full: bool): void {
  const index = row * tilesX + column;
  const tile = load<i32>(frame, FRAME_TILES) + index * TILE_BYTES;
  const state = load<i32>(tile);
  const x = <f64>(column * TILE);
  const y = <f64>(row * TILE);
  const stepX = nearnessX * TILE;
  const stepY = nearnessY * TILE;
  const origin = originOf(column, row);
  const nearest = origin + (stepX > 0 ? stepX : 0) + (stepY > 0 ? stepY : 0);
  if (nearest < <f64>load<f32>(tile, TILE_OCCLUSION) * (1 - OCCLUSION_MARGIN)) return;
  const farthest = origin + (stepX > 0 ? 0 : stepX) + (stepY > 0 ? 0 : stepY);

  if (state >= 0) {
    const other = load<i32>(frame, FRAME_PRIMITIVES) + state * SURFACE_BYTES;
    const apartX = stepX - load<f64>(other) * TILE;
    const apartY = stepY - load<f64>(other, 8) * TILE;
    const apart = origin - (load<f64>(other) * x + load<f64>(other, 8) * y + load<f64>(other, 16));
    const most = apart + (apartX > 0 ? apartX : 0) + (apartY > 0 ? apartY : 0);
    const least = apart + (apartX > 0 ? 0 : apartX) + (apartY > 0 ? 0 : apartY);
    const margin = DEPTH_MARGIN * (abs(nearest) + abs(farthest));
    if (most < -margin) return;
    if (full && least > margin) {
      cover(tile, nearest, farthest);
      return;
    }
  } else if (full && (state == TILE_EMPTY || farthest > <f64>load<f32>(tile, 4) * (1 + DEPTH_MARGIN))) {
    cover(tile, nearest, farthest);
    return;
  } else if (nearest < <f64>load<f32>(tile, 8) * (1 - DEPTH_MARGIN)) {
    return;
  }
  drawSamples(frame, index, tile, x, y, number, full, nearest);
}

// @ts-ignore: decorator
@inline
function cover(tile: i32, nearest: f64, farthest: f64): void {
  store<i32>(tile, number);
  store<f32>(tile, <f32>nearest, 4);
  store<f32>(tile, <f32>farthest, 8);
}
