/**
 * The samples of a tile that an edge or a change in depth order crosses: which of them the current primitive covers, and
 * where it is the nearest. Four neighboring pixels form one vector.
 *
 * Values are those of `test-support/typescript-kernel/samples.ts`. It tests each sample; here a group of four pixels is tested only
 * against the edges that cross it, and skipped if it lies outside of one.
 */
import {
  EDGE_BYTES,
  FRAME_PRIMITIVES,
  FRAME_SAMPLES,
  FRAME_SAMPLE_DATA,
  SURFACE_BOUNDS,
  SURFACE_BYTES,
  SURFACE_EDGES,
  SURFACE_EDGE_COUNT,
  TILE,
  TILE_EMPTY,
  TILE_SPLIT,
} from './layout';

export const MARGIN: f64 = 1e-4;
const TINY: f32 = 1.4e-45;

/**
 * Edges that cross a tile: the value at the four samples of the first group (f32 [4] each), a, b, the threshold, and the
 * groups that the edge crosses, one bit each.
 */
const CROSSING: i32 = <i32>memory.data(6 * 80);
const CROSSING_BYTES: i32 = 80;
const CROSSING_A: i32 = 64;
const CROSSING_B: i32 = 68;
const CROSSING_THRESHOLD: i32 = 72;
const CROSSING_GROUPS: i32 = 76;
/** Nearness at the four samples of the first group, f32 [4] each. */
const NEARNESS: i32 = <i32>memory.data(64);
const ROWS: i32 = <i32>memory.data<f32>([0, 1, 2, 3, 4, 5, 6, 7]);
/** f32 [4 samples, 8]: x of the four lanes; y, splat. For one sample and for four. */
const SAMPLES_1: i32 = <i32>memory.data<f32>([0.5, 1.5, 2.5, 3.5, 0.5, 0.5, 0.5, 0.5]);
const SAMPLES_4: i32 = <i32>memory.data<f32>([
  0.375, 1.375, 2.375, 3.375, 0.125, 0.125, 0.125, 0.125,
  0.875, 1.875, 2.875, 3.875, 0.375, 0.375, 0.375, 0.375,
  0.125, 1.125, 2.125, 3.125, 0.625, 0.625, 0.625, 0.625,
  0.625, 1.625, 2.625, 3.625, 0.875, 0.875, 0.875, 0.875,
]);

/** Samples per pixel. */
let samples: i32 = 0;
/** The address after the last edge in CROSSING. */
let crossingEnd: i32 = 0;

/** @param full  True if the primitive, given by its number, covers the whole tile. */
export function drawSamples(
  frame: i32,
  index: i32,
  tile: i32,
  x: f64,
  y: f64,
  number: i32,
  full: bool,
  nearest: f64,
): void {
  samples = load<i32>(frame, FRAME_SAMPLES);
  const many = samples == 4;
  const vectorBytes = samples * 16;
  const groupBytes = vectorBytes * 2;
  const data = load<i32>(frame, FRAME_SAMPLE_DATA) + index * 16 * groupBytes;
  const surface = load<i32>(frame, FRAME_PRIMITIVES) + number * SURFACE_BYTES;
  const within = groupsWithin(surface, x, y);
  crossingEnd = CROSSING;
  const groups = full ? within : within & crossEdges(surface, x, y);
  if (!groups) return;
  if (load<i32>(tile) != TILE_SPLIT) split(frame, tile, data, x, y);
  const surfaces = i32x4.splat(number);

  const nearnessX = load<f64>(surface);
  const nearnessY = load<f64>(surface, 8);
  const stepX = <f32>nearnessX;
  const stepY = <f32>nearnessY;
  startVectors(NEARNESS, nearnessX * x + nearnessY * y + load<f64>(surface, 16), nearnessX, nearnessY);
  let least = f32x4.splat(Infinity);
  for (let left = groups; left; left &= left - 1) {
    const group = ctz(left);
    const groupX = <f32>((group >> 3) * 4);
    const groupY = <f32>(group & 7);
    let visible0 = i32x4.splat(-1);
    let visible1 = visible0;
    let visible2 = visible0;
    let visible3 = visible0;
    for (let edge = CROSSING; edge < crossingEnd; edge += CROSSING_BYTES) {
      if (!((load<i32>(edge, CROSSING_GROUPS) >> group) & 1)) continue;
      const shift = f32x4.splat(load<f32>(edge, CROSSING_A) * groupX + load<f32>(edge, CROSSING_B) * groupY);
      visible0 = v128.and(visible0, isInside(edge, 0, shift));
      if (many) {
        visible1 = v128.and(visible1, isInside(edge, 16, shift));
        visible2 = v128.and(visible2, isInside(edge, 32, shift));
        visible3 = v128.and(visible3, isInside(edge, 48, shift));
      }
    }
    const offset = f32x4.splat(stepX * groupX + stepY * groupY);
    const at = addressOf(data, group, groupBytes);
    const ids = at + vectorBytes;
    least = f32x4.pmin(least, keepNearer(at, ids, 0, offset, surfaces, visible0));
    if (many) {
      least = f32x4.pmin(least, keepNearer(at, ids, 16, offset, surfaces, visible1));
      least = f32x4.pmin(least, keepNearer(at, ids, 32, offset, surfaces, visible2));
      least = f32x4.pmin(least, keepNearer(at, ids, 48, offset, surfaces, visible3));
    }
  }
  store<f32>(tile, max(load<f32>(tile, 4), <f32>nearest), 4);
  if (within == ALL) store<f32>(tile, leastOf(least, data, ALL & ~groups, groupBytes), 8);
}

/** A bit per group of four pixels: the left half of each row from the top, then the right half. */
const ALL: u32 = 0xffff;

// @ts-ignore: decorator
@inline
function addressOf(data: i32, group: i32, groupBytes: i32): i32 {
  return data + ((group & 7) * 2 + (group >> 3)) * groupBytes;
}

/** The groups that overlap the bounds of the primitive. */
// @ts-ignore: decorator
@inline
function groupsWithin(surface: i32, x: f64, y: f64): u32 {
  const minX = load<f64>(surface, SURFACE_BOUNDS);
  const maxX = load<f64>(surface, SURFACE_BOUNDS + 8);
  const firstRow = max(<i32>floor(load<f64>(surface, SURFACE_BOUNDS + 16) - y), 0);
  const lastRow = min(<i32>floor(load<f64>(surface, SURFACE_BOUNDS + 24) - y), TILE - 1);
  const rows: u32 = ((2 << lastRow) - 1) & (-1 << firstRow);
  return (minX - x < 4 ? rows : 0) | (maxX - x < 4 ? 0 : rows << 8);
}

/** Lists the edges that cross the tile in CROSSING. @returns The groups that are outside of no edge. */
function crossEdges(surface: i32, x: f64, y: f64): u32 {
  let groups = ALL;
  const edges = surface + SURFACE_EDGES;
  const end = edges + load<i32>(surface, SURFACE_EDGE_COUNT) * EDGE_BYTES;
  for (let at = edges; at < end; at += EDGE_BYTES) {
    const a = load<f64>(at);
    const b = load<f64>(at, 8);
    const here = a * x + b * y + load<f64>(at, 16);
    const least = here + (a > 0 ? 0 : a * TILE) + (b > 0 ? 0 : b * TILE);
    if (least >= MARGIN) continue;
    const most = here + (a > 0 ? a * TILE : 0) + (b > 0 ? b * TILE : 0);
    if (!(most >= -MARGIN)) return 0;
    const inclusive = a > 0 || (a == 0 && b > 0);
    startVectors(crossingEnd, here, a, b);
    store<f32>(crossingEnd, <f32>a, CROSSING_A);
    store<f32>(crossingEnd, <f32>b, CROSSING_B);
    store<f32>(crossingEnd, inclusive ? 0 : TINY, CROSSING_THRESHOLD);
    const inside = groupsAbove(here, a, b, MARGIN - (a > 0 ? 0 : a * 4) - (b > 0 ? 0 : b));
    store<u32>(crossingEnd, ~inside, CROSSING_GROUPS);
    groups &= groupsAbove(here, a, b, -MARGIN - (a > 0 ? a * 4 : 0) - (b > 0 ? b : 0));
    crossingEnd += CROSSING_BYTES;
  }
  return groups;
}

/** The groups at whose upper left corner an edge has at least this value. */
// @ts-ignore: decorator
@inline
function groupsAbove(here: f64, a: f64, b: f64, value: f64): u32 {
  const bound = f32x4.splat(<f32>value);
  const down = f32x4.splat(<f32>b);
  const upper = f32x4.add(f32x4.splat(<f32>here), f32x4.mul(down, v128.load(ROWS)));
  const lower = f32x4.add(f32x4.splat(<f32>here), f32x4.mul(down, v128.load(ROWS, 16)));
  const across = f32x4.splat(<f32>(a * 4));
  return (
    i32x4.bitmask(f32x4.ge(upper, bound)) |
    (i32x4.bitmask(f32x4.ge(lower, bound)) << 4) |
    (i32x4.bitmask(f32x4.ge(f32x4.add(upper, across), bound)) << 8) |
    (i32x4.bitmask(f32x4.ge(f32x4.add(lower, across), bound)) << 12)
  );
}

// @ts-ignore: decorator
@inline
function isInside(edge: i32, sample: i32, shift: v128): v128 {
  const value = f32x4.add(v128.load(edge + sample), shift);
  return f32x4.ge(value, v128.load32_splat(edge, CROSSING_THRESHOLD));
}

/** Draws four samples where they are visible and nearer. @returns The nearness that is now stored. */
// @ts-ignore: decorator
@inline
function keepNearer(at: i32, ids: i32, sample: i32, offset: v128, surfaces: v128, visible: v128): v128 {
  const stored = v128.load(at + sample);
  const nearness = f32x4.add(v128.load(NEARNESS + sample), offset);
  const nearer = v128.and(visible, f32x4.gt(nearness, stored));
  const result = v128.bitselect(nearness, stored, nearer);
  v128.store(at + sample, result);
  v128.store(ids + sample, v128.bitselect(surfaces, v128.load(ids + sample), nearer));
  return result;
}

/** The least nearness in the tile, given that of the groups which are not in `others`. */
function leastOf(known: v128, data: i32, others: u32, groupBytes: i32): f32 {
  let least = known;
  for (let left = others; left; left &= left - 1) {
    const at = addressOf(data, ctz(left), groupBytes);
    for (let sample = 0; sample < groupBytes / 2; sample += 16) least = f32x4.pmin(least, v128.load(at + sample));
  }
  const low = min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1));
  return min(low, min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)));
}

/** The values of a plane at the samples of a tile's first group, computed from its value at the tile's corner. */
// @ts-ignore: decorator
@inline
function startVectors(to: i32, here: f64, a: f64, b: f64): void {
  const positions = samples == 4 ? SAMPLES_4 : SAMPLES_1;
  const start = f32x4.splat(<f32>here);
  const stepX = f32x4.splat(<f32>a);
  const stepY = f32x4.splat(<f32>b);
  for (let sample = 0; sample < samples; sample += 1) {
    const position = positions + sample * 32;
    const across = f32x4.add(start, f32x4.mul(stepX, v128.load(position)));
    v128.store(to + sample * 16, f32x4.add(across, f32x4.mul(stepY, v128.load(position, 16))));
  }
}

/** Expands an empty tile, or a tile of one surface, to separate samples. */
function split(frame: i32, tile: i32, data: i32, x: f64, y: f64): void {
  const state = load<i32>(tile);
  store<i32>(tile, TILE_SPLIT);
  const vectorBytes = samples * 16;
  const ids = i32x4.splat(state);
  const end = data + 16 * vectorBytes * 2;
  if (state == TILE_EMPTY) {
    const nothing = f32x4.splat(-1);
    for (let at = data; at < end; at += vectorBytes * 2) {
      for (let sample = 0; sample < vectorBytes; sample += 16) {
        v128.store(at + sample, nothing);
        v128.store(at + vectorBytes + sample, ids);
      }
    }
    return;
  }
  const other = load<i32>(frame, FRAME_PRIMITIVES) + state * SURFACE_BYTES;
  const a = load<f64>(other);
  const b = load<f64>(other, 8);
  startVectors(NEARNESS, a * x + b * y + load<f64>(other, 16), a, b);
  for (let group = 0; group < 16; group += 1) {
    const offset = f32x4.splat(<f32>a * <f32>((group & 1) * 4) + <f32>b * <f32>(group >> 1));
    const at = data + group * vectorBytes * 2;
    for (let sample = 0; sample < vectorBytes; sample += 16) {
      v128.store(at + sample, f32x4.add(v128.load(NEARNESS + sample), offset));
      v128.store(at + vectorBytes + sample, ids);
    }
  }
}
