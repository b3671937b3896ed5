/**
 * The records of primitives: edges, bounds, and planes of nearness and attributes, in the same steps as
 * `test-support/typescript-kernel/primitive.ts`, which explains them.
 */
import {
  DRAW_FACING,
  DRAW_INSTANCE,
  DRAW_PRIMITIVES,
  DRAW_PRIMITIVE_COUNT,
  DRAW_SEGMENT,
  DRAW_TEXTURE,
  EDGE_BYTES,
  FRAME_ENCODING,
  FRAME_FAR,
  FRAME_FAR_NEARNESS,
  FRAME_HEIGHT,
  FRAME_NEAR,
  FRAME_NEAR_NEARNESS,
  FRAME_ORTHOGRAPHIC,
  FRAME_PRIMITIVES,
  FRAME_PRIMITIVE_COUNT,
  FRAME_SAMPLES,
  FRAME_VERTICES,
  FRAME_WIDTH,
  LIGHT_STEPS,
  PRIMITIVE_BYTES,
  SCREEN_VERTEX_BYTES,
  SURFACE_BOUNDS,
  SURFACE_BYTES,
  SURFACE_EDGES,
  SURFACE_EDGE_COUNT,
  SURFACE_FLAT_COLOR,
  SURFACE_FLAT_FACTOR,
  SURFACE_INSTANCE,
  SURFACE_SEGMENT,
  SURFACE_SHADED,
  SURFACE_TEXTURE,
} from './layout';

const REACH: f64 = 1.0 / 64;

/** f64 [9] */
const WEIGHTS: i32 = <i32>memory.data(72);

// the frame and the draw call
let frame: i32 = 0;
let call: i32 = 0;
let samples: i32 = 0;
let orthographic: bool = false;
let near: f64 = 0;
// the current primitive
let corners: i32 = 0;
let corner0: i32 = 0;
let corner1: i32 = 0;
let corner2: i32 = 0;
let corner3: i32 = 0;
/** Its record. */
let surface: i32 = 0;
/** The address after its last edge. */
let edgesEnd: i32 = 0;
let nearnessX: f64 = 0;
let nearnessY: f64 = 0;
let nearness0: f64 = 0;
let minX: f64 = 0;
let maxX: f64 = 0;
let minY: f64 = 0;
let maxY: f64 = 0;

/** Appends a record for each primitive of a draw call that can cover a sample. */
export function addAll(frameAddress: i32, callAddress: i32): void {
  frame = frameAddress;
  call = callAddress;
  samples = load<i32>(frame, FRAME_SAMPLES);
  orthographic = load<i32>(frame, FRAME_ORTHOGRAPHIC) != 0;
  near = load<f64>(frame, FRAME_NEAR);
  let count = load<i32>(frame, FRAME_PRIMITIVE_COUNT);
  surface = load<i32>(frame, FRAME_PRIMITIVES) + count * SURFACE_BYTES;
  let primitive = load<i32>(call, DRAW_PRIMITIVES);
  const end = primitive + load<i32>(call, DRAW_PRIMITIVE_COUNT) * PRIMITIVE_BYTES;
  for (; primitive < end; primitive += PRIMITIVE_BYTES) {
    if (!setUp(primitive)) continue;
    writeRecord();
    surface += SURFACE_BYTES;
    count += 1;
  }
  store<i32>(frame, count, FRAME_PRIMITIVE_COUNT);
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

/** @returns False if the primitive cannot cover a sample. */
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
  edgesEnd = surface + SURFACE_EDGES;
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
  store<f64>(edgesEnd, a * scale);
  store<f64>(edgesEnd, b * scale, 8);
  store<f64>(edgesEnd, c * scale, 16);
  edgesEnd += EDGE_BYTES;
}

function writeRecord(): void {
  const to = surface;
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
  const encoding = load<i32>(frame, FRAME_ENCODING);
  let shaded = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const value = load<f64>(corner0 + channel * 8, 48);
    if (load<f64>(corner1 + channel * 8, 48) != value || load<f64>(corner2 + channel * 8, 48) != value) shaded = 1;
    const factor = <i32>floor(value * 32767 + 0.5);
    const byte = encoding ? <i32>load<u8>(encoding + ((LIGHT_STEPS * factor + 0x4000) >> 15)) : <i32>floor(value * 255 + 0.5);
    store<u8>(to + channel, <u8>byte, SURFACE_FLAT_COLOR);
    store<i16>(to + channel * 2, <i16>factor, SURFACE_FLAT_FACTOR);
  }
  store<u8>(to + 3, 255, SURFACE_FLAT_COLOR);
  store<i16>(to + 6, 32767, SURFACE_FLAT_FACTOR);
  store<i32>(to, load<i32>(call, DRAW_TEXTURE), SURFACE_TEXTURE);
  store<i32>(to, shaded, SURFACE_SHADED);
  store<i32>(to, load<i32>(call, DRAW_INSTANCE), SURFACE_INSTANCE);
  store<i32>(to, load<i32>(call, DRAW_SEGMENT), SURFACE_SEGMENT);
  store<f64>(to, minX, SURFACE_BOUNDS);
  store<f64>(to, maxX, SURFACE_BOUNDS + 8);
  store<f64>(to, minY, SURFACE_BOUNDS + 16);
  store<f64>(to, maxY, SURFACE_BOUNDS + 24);
  store<i32>(to, (edgesEnd - surface - SURFACE_EDGES) / EDGE_BYTES, SURFACE_EDGE_COUNT);
}
