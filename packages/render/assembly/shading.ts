/**
 * Colors and other outputs of all tiles, in the same steps as `test-support/typescript-kernel/shading.ts`, which explains them. A group of four
 * pixels is one vector.
 */
import {
  FRAME_CLEAR_COLOR,
  FRAME_COLOR,
  FRAME_DEPTH,
  FRAME_HEIGHT,
  FRAME_INSTANCES,
  FRAME_PRIMITIVES,
  FRAME_SAMPLES,
  FRAME_SAMPLE_DATA,
  FRAME_SEGMENTS,
  FRAME_TILES,
  FRAME_TILES_X,
  FRAME_TILES_Y,
  FRAME_WIDTH,
  SURFACE_BYTES,
  SURFACE_FLAT_COLOR,
  SURFACE_SHADED,
  SURFACE_TEXTURE,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_SPLIT,
} from './layout';
import { OWNERS, pack, writeOwners } from './outputs';
import { shadeSurface, shadeTextured, startSurfaces } from './surface-colors';

let frame: i32 = 0;
let primitives: i32 = 0;

export function shadeAll(frameAddress: i32): void {
  frame = frameAddress;
  primitives = load<i32>(frame, FRAME_PRIMITIVES);
  startSurfaces(frame);
  const tilesX = load<i32>(frame, FRAME_TILES_X);
  const tilesY = load<i32>(frame, FRAME_TILES_Y);
  for (let row = 0; row < tilesY; row += 1) {
    for (let column = 0; column < tilesX; column += 1) shadeTile(column, row, row * tilesX + column);
  }
  pack(frame);
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
        if (wantsOwners) writeOwners(frame, primitives, x, top + y, width);
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
      for (let group = 0; group < groups; group += 1) writeOwners(frame, primitives, left + group * 4, top + y, width);
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
  // a bit per sample whose surface is not yet shaded
  let left: u32 = (1 << (bytes >> 2)) - 1;
  while (left) {
    const surface = load<i32>(ids + ctz(left) * 4);
    const same = i32x4.splat(surface);
    let count = i32x4.splat(0);
    for (let sample = 0; sample < bytes; sample += 16) {
      const equal = i32x4.eq(v128.load(ids + sample), same);
      left &= ~(<u32>i32x4.bitmask(equal) << (sample >> 2));
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
