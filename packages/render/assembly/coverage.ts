/**
 * Coverage and depth by tiles, in the same steps as `src/soft/typescript/coverage.ts`, which explains them.
 */
import {
  DRAW_PRIMITIVES,
  DRAW_PRIMITIVE_COUNT,
  FRAME_PRIMITIVES,
  FRAME_TILES,
  FRAME_TILES_X,
  FRAME_TILES_Y,
  PRIMITIVE_BYTES,
  SURFACE_BYTES,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
} from './layout';
import {
  EDGES,
  edgesEnd,
  maxX,
  maxY,
  minX,
  minY,
  nearness0,
  nearnessX,
  nearnessY,
  record,
  setUp,
  startCall,
} from './primitive';
import { MARGIN, drawSamples } from './samples';

const DEPTH_MARGIN: f64 = 1e-6;

let frame: i32 = 0;
let tilesX: i32 = 0;

export function drawAll(frameAddress: i32, call: i32): void {
  frame = frameAddress;
  tilesX = load<i32>(frame, FRAME_TILES_X);
  startCall(frame, call);
  let primitive = load<i32>(call, DRAW_PRIMITIVES);
  const end = primitive + load<i32>(call, DRAW_PRIMITIVE_COUNT) * PRIMITIVE_BYTES;
  for (; primitive < end; primitive += PRIMITIVE_BYTES) {
    if (setUp(primitive)) drawTiles();
  }
}

function drawTiles(): void {
  const firstColumn = <i32>floor(minX / TILE);
  const lastColumn = min(<i32>floor(maxX / TILE), tilesX - 1);
  const lastRow = min(<i32>floor(maxY / TILE), load<i32>(frame, FRAME_TILES_Y) - 1);
  for (let row = <i32>floor(minY / TILE); row <= lastRow; row += 1) {
    let first = <f64>firstColumn;
    let last = <f64>lastColumn;
    let firstFull = first;
    let lastFull = last;
    for (let at = EDGES; at < edgesEnd; at += 24) {
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
    // Spans lie within the bounds only if they are not empty.
    if (!(first <= last)) continue;
    const end = <i32>last;
    for (let column = <i32>first; column <= end; column += 1) {
      drawTile(column, row, <f64>column >= firstFull && <f64>column <= lastFull);
    }
  }
}

function drawTile(column: i32, row: i32, full: bool): void {
  const index = row * tilesX + column;
  const tile = load<i32>(frame, FRAME_TILES) + index * TILE_BYTES;
  const state = load<i32>(tile);
  const x = <f64>(column * TILE);
  const y = <f64>(row * TILE);
  const stepX = nearnessX * TILE;
  const stepY = nearnessY * TILE;
  const origin = nearnessX * x + nearnessY * y + nearness0;
  const nearest = origin + (stepX > 0 ? stepX : 0) + (stepY > 0 ? stepY : 0);
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
  drawSamples(frame, index, tile, x, y, full, nearest);
}

// @ts-ignore: decorator
@inline
function cover(tile: i32, nearest: f64, farthest: f64): void {
  store<i32>(tile, record());
  store<f32>(tile, <f32>nearest, 4);
  store<f32>(tile, <f32>farthest, 8);
}
