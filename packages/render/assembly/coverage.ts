/**
 * Coverage and depth, in the same steps as `src/soft/typescript/coverage.ts`, which explains them. Four neighboring
 * pixels form one vector.
 */
import {
  DRAW_FACING,
  DRAW_INSTANCE,
  DRAW_PRIMITIVES,
  DRAW_PRIMITIVE_COUNT,
  DRAW_SEGMENT,
  DRAW_TEXTURE,
  FRAME_FAR,
  FRAME_FAR_NEARNESS,
  FRAME_HEIGHT,
  FRAME_NEAR,
  FRAME_NEAR_NEARNESS,
  FRAME_ORTHOGRAPHIC,
  FRAME_PRIMITIVES,
  FRAME_PRIMITIVE_COUNT,
  FRAME_SAMPLES,
  FRAME_SAMPLE_DATA,
  FRAME_TILES,
  FRAME_TILES_X,
  FRAME_TILES_Y,
  FRAME_VERTICES,
  FRAME_WIDTH,
  PRIMITIVE_BYTES,
  SCREEN_VERTEX_BYTES,
  SURFACE_BYTES,
  SURFACE_FLAT_COLOR,
  SURFACE_FLAT_FACTOR,
  SURFACE_INSTANCE,
  SURFACE_SEGMENT,
  SURFACE_SHADED,
  SURFACE_TEXTURE,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_SPLIT,
} from './layout';

const MARGIN: f64 = 1e-4;
const DEPTH_MARGIN: f64 = 1e-6;
const REACH: f64 = 1.0 / 64;
const TINY: f32 = 1.4e-45;

/** f64 [3] per edge. */
const EDGES: i32 = <i32>memory.data(6 * 24);
/** f64 [9] */
const WEIGHTS: i32 = <i32>memory.data(72);
/** Edges that cross a tile, 96 bytes each: the value at the four samples of the first group (f32 [4] each), a, b. */
const CROSSING: i32 = <i32>memory.data(6 * 96);
/** Nearness at the four samples of the first group, f32 [4] each. */
const NEARNESS: i32 = <i32>memory.data(64);
/** f32 [4 samples, 8]: x of the four lanes; y, splat. For one sample and for four. */
const SAMPLES_1: i32 = <i32>memory.data<f32>([0.5, 1.5, 2.5, 3.5, 0.5, 0.5, 0.5, 0.5]);
const SAMPLES_4: i32 = <i32>memory.data<f32>([
  0.375, 1.375, 2.375, 3.375, 0.125, 0.125, 0.125, 0.125,
  0.875, 1.875, 2.875, 3.875, 0.375, 0.375, 0.375, 0.375,
  0.125, 1.125, 2.125, 3.125, 0.625, 0.625, 0.625, 0.625,
  0.625, 1.625, 2.625, 3.625, 0.875, 0.875, 0.875, 0.875,
]);

// the frame and the draw call
let frame: i32 = 0;
let call: i32 = 0;
let samples: i32 = 0;
let orthographic: bool = false;
let near: f64 = 0;
let tilesX: i32 = 0;
// the current primitive
let corners: i32 = 0;
let corner0: i32 = 0;
let corner1: i32 = 0;
let corner2: i32 = 0;
let corner3: i32 = 0;
let edges: i32 = 0;
let nearnessX: f64 = 0;
let nearnessY: f64 = 0;
let nearness0: f64 = 0;
let surface: i32 = 0;
let minX: f64 = 0;
let maxX: f64 = 0;
let minY: f64 = 0;
let maxY: f64 = 0;

export function drawAll(frameAddress: i32, callAddress: i32): void {
  frame = frameAddress;
  call = callAddress;
  samples = load<i32>(frame, FRAME_SAMPLES);
  orthographic = load<i32>(frame, FRAME_ORTHOGRAPHIC) != 0;
  near = load<f64>(frame, FRAME_NEAR);
  tilesX = load<i32>(frame, FRAME_TILES_X);
  let primitive = load<i32>(call, DRAW_PRIMITIVES);
  const end = primitive + load<i32>(call, DRAW_PRIMITIVE_COUNT) * PRIMITIVE_BYTES;
  for (; primitive < end; primitive += PRIMITIVE_BYTES) {
    if (setUp(primitive)) drawTiles();
  }
}

// @ts-ignore: decorator
@inline
function cornerAt(index: i32): i32 {
  return index == 0 ? corner0 : index == 1 ? corner1 : index == 2 ? corner2 : corner3;
}

// @ts-ignore: decorator
@inline
function cornerAfter(index: i32): i32 {
  return index + 1 < corners ? cornerAt(index + 1) : corner0;
}

function setUp(primitive: i32): bool {
  const vertices = load<i32>(frame, FRAME_VERTICES);
  const fourth = load<i32>(primitive, 12);
  const a = vertices + load<i32>(primitive) * SCREEN_VERTEX_BYTES;
  const b = vertices + load<i32>(primitive, 4) * SCREEN_VERTEX_BYTES;
  const c = vertices + load<i32>(primitive, 8) * SCREEN_VERTEX_BYTES;
  const d = vertices + fourth * SCREEN_VERTEX_BYTES;
  const front = load<i32>(call, DRAW_FACING) > 0;
  corner0 = a;
  if (fourth < 0) {
    corners = 3;
    corner1 = front ? c : b;
    corner2 = front ? b : c;
  } else {
    corners = 4;
    corner1 = front ? d : b;
    corner2 = c;
    corner3 = front ? b : d;
  }

  const x0 = load<f64>(corner0);
  const y0 = load<f64>(corner0, 8);
  const w0 = load<f64>(corner0, 16);
  const x1 = load<f64>(corner1);
  const y1 = load<f64>(corner1, 8);
  const w1 = load<f64>(corner1, 16);
  const x2 = load<f64>(corner2);
  const y2 = load<f64>(corner2, 8);
  const w2 = load<f64>(corner2, 16);
  const a0 = y1 * w2 - w1 * y2;
  const b0 = w1 * x2 - x1 * w2;
  const c0 = x1 * y2 - y1 * x2;
  const determinant = x0 * a0 + y0 * b0 + w0 * c0;
  if (!(determinant > 0)) return false;
  if (!bound()) return false;

  const scale = 1 / determinant;
  if (!(scale < 1e300)) return false;
  const weight0 = a0 * scale;
  const weight1 = b0 * scale;
  const weight2 = c0 * scale;
  const weight3 = (y2 * w0 - w2 * y0) * scale;
  const weight4 = (w2 * x0 - x2 * w0) * scale;
  const weight5 = (x2 * y0 - y2 * x0) * scale;
  const weight6 = (y0 * w1 - w0 * y1) * scale;
  const weight7 = (w0 * x1 - x0 * w1) * scale;
  const weight8 = (x0 * y1 - y0 * x1) * scale;
  store<f64>(WEIGHTS, weight0);
  store<f64>(WEIGHTS, weight1, 8);
  store<f64>(WEIGHTS, weight2, 16);
  store<f64>(WEIGHTS, weight3, 24);
  store<f64>(WEIGHTS, weight4, 32);
  store<f64>(WEIGHTS, weight5, 40);
  store<f64>(WEIGHTS, weight6, 48);
  store<f64>(WEIGHTS, weight7, 56);
  store<f64>(WEIGHTS, weight8, 64);
  if (orthographic) {
    const d0 = load<f64>(corner0, 24);
    const d1 = load<f64>(corner1, 24);
    const d2 = load<f64>(corner2, 24);
    nearnessX = d0 * weight0 + d1 * weight3 + d2 * weight6;
    nearnessY = d0 * weight1 + d1 * weight4 + d2 * weight7;
    nearness0 = d0 * weight2 + d1 * weight5 + d2 * weight8;
  } else {
    nearnessX = weight0 + weight3 + weight6;
    nearnessY = weight1 + weight4 + weight7;
    nearness0 = weight2 + weight5 + weight8;
  }
  return setUpEdges();
}

// @ts-ignore: decorator
@inline
function extend(x: f64, y: f64): void {
  if (x < minX) minX = x;
  if (x > maxX) maxX = x;
  if (y < minY) minY = y;
  if (y > maxY) maxY = y;
}

function bound(): bool {
  const closest = orthographic ? -1 : near;
  minX = Infinity;
  maxX = -Infinity;
  minY = Infinity;
  maxY = -Infinity;
  for (let index = 0; index < corners; index += 1) {
    const here = cornerAt(index);
    const w = load<f64>(here, 16);
    if (w >= closest) extend(load<f64>(here) / w, load<f64>(here, 8) / w);
    const next = cornerAfter(index);
    const nextW = load<f64>(next, 16);
    if (w >= closest != nextW >= closest) {
      const part = (closest - w) / (nextW - w);
      extend(
        (load<f64>(here) + part * (load<f64>(next) - load<f64>(here))) / closest,
        (load<f64>(here, 8) + part * (load<f64>(next, 8) - load<f64>(here, 8))) / closest,
      );
    }
  }
  const width = <f64>load<i32>(frame, FRAME_WIDTH);
  const height = <f64>load<i32>(frame, FRAME_HEIGHT);
  minX = minX - REACH;
  minY = minY - REACH;
  maxX = maxX + REACH;
  maxY = maxY + REACH;
  if (!(maxX >= 0 && minX <= width && maxY >= 0 && minY <= height)) return false;
  if (minX < 0) minX = 0;
  if (minY < 0) minY = 0;
  if (maxX > width) maxX = width;
  if (maxY > height) maxY = height;
  const many = samples == 4;
  const step: f64 = many ? 4 : 1;
  const first: f64 = many ? 0.125 : 0.5;
  if (ceil((minX - first) * step) > floor((maxX - first) * step)) return false;
  return !(ceil((minY - first) * step) > floor((maxY - first) * step));
}

function setUpEdges(): bool {
  edges = 0;
  const nearest = load<f64>(frame, FRAME_NEAR_NEARNESS);
  const farthest = load<f64>(frame, FRAME_FAR_NEARNESS);
  const far = load<f64>(frame, FRAME_FAR);
  let before = 0;
  let beyond = 0;
  for (let index = 0; index < corners; index += 1) {
    const from = cornerAt(index);
    const to = cornerAfter(index);
    const x0 = load<f64>(from);
    const y0 = load<f64>(from, 8);
    const w0 = load<f64>(from, 16);
    const x1 = load<f64>(to);
    const y1 = load<f64>(to, 8);
    const w1 = load<f64>(to, 16);
    addEdge(y0 * w1 - w0 * y1, w0 * x1 - x0 * w1, x0 * y1 - y0 * x1);
    const nearness = load<f64>(from, 24);
    if (orthographic ? nearness > nearest : w0 < near) before += 1;
    if (orthographic ? nearness < farthest : w0 > far) beyond += 1;
  }
  if (before == corners || beyond == corners) return false;
  if (before > 0) addEdge(-nearnessX, -nearnessY, nearest - nearness0);
  if (beyond > 0) addEdge(nearnessX, nearnessY, nearness0 - farthest);
  return true;
}

// @ts-ignore: decorator
@inline
function addEdge(a: f64, b: f64, c: f64): void {
  const length = abs(a) + abs(b);
  const scale = length > 0 ? 1 / length : 1;
  const at = EDGES + edges * 24;
  store<f64>(at, a * scale);
  store<f64>(at, b * scale, 8);
  store<f64>(at, c * scale, 16);
  edges += 1;
}

function drawTiles(): void {
  surface = -1;
  const firstColumn = <i32>floor(minX / TILE);
  const lastColumn = min(<i32>floor(maxX / TILE), tilesX - 1);
  const lastRow = min(<i32>floor(maxY / TILE), load<i32>(frame, FRAME_TILES_Y) - 1);
  for (let row = <i32>floor(minY / TILE); row <= lastRow; row += 1) {
    let first = <f64>firstColumn;
    let last = <f64>lastColumn;
    let firstFull = first;
    let lastFull = last;
    for (let at = EDGES; at < EDGES + edges * 24; at += 24) {
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
  drawSamples(index, tile, x, y, full, nearest);
}

// @ts-ignore: decorator
@inline
function cover(tile: i32, nearest: f64, farthest: f64): void {
  store<i32>(tile, record());
  store<f32>(tile, <f32>nearest, 4);
  store<f32>(tile, <f32>farthest, 8);
}

function drawSamples(index: i32, tile: i32, x: f64, y: f64, full: bool, nearest: f64): void {
  const vectorBytes = samples * 16;
  const groupBytes = vectorBytes * 2;
  const data = load<i32>(frame, FRAME_SAMPLE_DATA) + index * 16 * groupBytes;
  const positions = samples == 4 ? SAMPLES_4 : SAMPLES_1;

  let crossing = CROSSING;
  if (!full) {
    for (let at = EDGES; at < EDGES + edges * 24; at += 24) {
      const a = load<f64>(at);
      const b = load<f64>(at, 8);
      const here = a * x + b * y + load<f64>(at, 16);
      const least = here + (a > 0 ? 0 : a * TILE) + (b > 0 ? 0 : b * TILE);
      if (!(least >= MARGIN)) {
        const most = here + (a > 0 ? a * TILE : 0) + (b > 0 ? b * TILE : 0);
        if (!(most >= -MARGIN)) return;
        const inclusive = a > 0 || (a == 0 && b > 0);
        startVectors(crossing, positions, here, a, b);
        store<f32>(crossing, <f32>a, 64);
        store<f32>(crossing, <f32>b, 68);
        store<f32>(crossing, inclusive ? 0 : TINY, 72);
        crossing += 96;
      }
    }
  }
  if (load<i32>(tile) != TILE_SPLIT) split(tile, data, x, y);
  const surfaces = i32x4.splat(record());

  const stepX = <f32>nearnessX;
  const stepY = <f32>nearnessY;
  startVectors(NEARNESS, positions, nearnessX * x + nearnessY * y + nearness0, nearnessX, nearnessY);
  const firstRow = max(<i32>floor(minY - y), 0);
  const lastRow = min(<i32>floor(maxY - y), TILE - 1);
  const firstHalf = minX - x < 4 ? 0 : 1;
  const lastHalf = maxX - x < 4 ? 0 : 1;
  const all = lastRow - firstRow == TILE - 1 && firstHalf != lastHalf;
  const step = firstHalf == lastHalf ? 2 : 1;
  let least = f32x4.splat(Infinity);
  for (let group = firstRow * 2 + firstHalf; group < lastRow * 2 + 2; group += step) {
    const groupX = <f32>((group & 1) * 4);
    const groupY = <f32>(group >> 1);
    const offset = f32x4.splat(stepX * groupX + stepY * groupY);
    const at = data + group * groupBytes;
    for (let sample = 0; sample < vectorBytes; sample += 16) {
      const stored = v128.load(at + sample);
      const nearness = f32x4.add(v128.load(NEARNESS + sample), offset);
      let visible = f32x4.gt(nearness, stored);
      for (let edge = CROSSING; edge < crossing; edge += 96) {
        const shift = load<f32>(edge, 64) * groupX + load<f32>(edge, 68) * groupY;
        const value = f32x4.add(v128.load(edge + sample), f32x4.splat(shift));
        visible = v128.and(visible, f32x4.ge(value, v128.load32_splat(edge, 72)));
      }
      const result = v128.bitselect(nearness, stored, visible);
      v128.store(at + sample, result);
      const ids = at + vectorBytes + sample;
      v128.store(ids, v128.bitselect(surfaces, v128.load(ids), visible));
      least = f32x4.pmin(least, result);
    }
  }
  store<f32>(tile, max(load<f32>(tile, 4), <f32>nearest), 4);
  if (all) {
    const low = min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1));
    store<f32>(tile, min(low, min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3))), 8);
  }
}

/** The values of a plane at the samples of a tile's first group, computed from its value at the tile's corner. */
// @ts-ignore: decorator
@inline
function startVectors(to: i32, positions: i32, here: f64, a: f64, b: f64): void {
  const start = f32x4.splat(<f32>here);
  const stepX = f32x4.splat(<f32>a);
  const stepY = f32x4.splat(<f32>b);
  for (let sample = 0; sample < samples; sample += 1) {
    const position = positions + sample * 32;
    const across = f32x4.add(start, f32x4.mul(stepX, v128.load(position)));
    v128.store(to + sample * 16, f32x4.add(across, f32x4.mul(stepY, v128.load(position, 16))));
  }
}

function split(tile: i32, data: i32, x: f64, y: f64): void {
  const state = load<i32>(tile);
  store<i32>(tile, TILE_SPLIT);
  const positions = samples == 4 ? SAMPLES_4 : SAMPLES_1;
  const vectorBytes = samples * 16;
  let a: f64 = 0;
  let b: f64 = 0;
  let here: f64 = -1;
  if (state >= 0) {
    const other = load<i32>(frame, FRAME_PRIMITIVES) + state * SURFACE_BYTES;
    a = load<f64>(other);
    b = load<f64>(other, 8);
    here = a * x + b * y + load<f64>(other, 16);
  }
  startVectors(NEARNESS, positions, here, a, b);
  const ids = i32x4.splat(state);
  for (let group = 0; group < 16; group += 1) {
    const offset = f32x4.splat(<f32>a * <f32>((group & 1) * 4) + <f32>b * <f32>(group >> 1));
    const at = data + group * vectorBytes * 2;
    for (let sample = 0; sample < vectorBytes; sample += 16) {
      v128.store(at + sample, f32x4.add(v128.load(NEARNESS + sample), offset));
      v128.store(at + vectorBytes + sample, ids);
    }
  }
}

// @ts-ignore: decorator
@inline
function record(): i32 {
  if (surface < 0) writeRecord();
  return surface;
}

function writeRecord(): void {
  surface = load<i32>(frame, FRAME_PRIMITIVE_COUNT);
  store<i32>(frame, surface + 1, FRAME_PRIMITIVE_COUNT);
  const to = load<i32>(frame, FRAME_PRIMITIVES) + surface * SURFACE_BYTES;
  store<f64>(to, nearnessX);
  store<f64>(to, nearnessY, 8);
  store<f64>(to, nearness0, 16);
  for (let axis = 0; axis < 24; axis += 8) {
    const weight0 = load<f64>(WEIGHTS + axis);
    const weight1 = load<f64>(WEIGHTS + axis, 24);
    const weight2 = load<f64>(WEIGHTS + axis, 48);
    store<f64>(to + axis, weight0 + weight1 + weight2, 24);
    for (let attribute = 0; attribute < 5; attribute += 1) {
      const offset = attribute * 8;
      const value =
        load<f64>(corner0 + offset, 32) * weight0 +
        load<f64>(corner1 + offset, 32) * weight1 +
        load<f64>(corner2 + offset, 32) * weight2;
      store<f64>(to + attribute * 24 + axis, value, 48);
    }
  }
  let shaded = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const value = load<f64>(corner0 + channel * 8, 48);
    if (load<f64>(corner1 + channel * 8, 48) != value || load<f64>(corner2 + channel * 8, 48) != value) shaded = 1;
    store<u8>(to + channel, <u8>(<i32>floor(value * 255 + 0.5)), SURFACE_FLAT_COLOR);
    store<i16>(to + channel * 2, <i16>(<i32>floor(value * 32767 + 0.5)), SURFACE_FLAT_FACTOR);
  }
  store<u8>(to + 3, 255, SURFACE_FLAT_COLOR);
  store<i16>(to + 6, 32767, SURFACE_FLAT_FACTOR);
  store<i32>(to, load<i32>(call, DRAW_TEXTURE), SURFACE_TEXTURE);
  store<i32>(to, shaded, SURFACE_SHADED);
  store<i32>(to, load<i32>(call, DRAW_INSTANCE), SURFACE_INSTANCE);
  store<i32>(to, load<i32>(call, DRAW_SEGMENT), SURFACE_SEGMENT);
}
