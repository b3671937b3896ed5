/**
 * The kernel of the software renderer in AssemblyScript, for WebAssembly with SIMD. `npm run build:kernel` compiles it
 * into `src/soft/kernel.generated.ts`; `test-support/typescript-kernel/` is its reference, byte for byte.
 */
import { coverAll } from './coverage';
import {
  FRAME_PRIMITIVE_COUNT,
  FRAME_TILES,
  FRAME_TILES_X,
  FRAME_TILES_Y,
  FRAME_VERTICES,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_OCCLUSION,
} from './layout';
import { addAll } from './primitive';
import { shadeAll } from './shading';
import { transformVertices } from './vertices';

export function begin(frame: i32): void {
  const tiles = load<i32>(frame, FRAME_TILES);
  const end = tiles + load<i32>(frame, FRAME_TILES_X) * load<i32>(frame, FRAME_TILES_Y) * TILE_BYTES;
  store<i32>(frame, 0, FRAME_PRIMITIVE_COUNT);
  for (let tile = tiles; tile < end; tile += TILE_BYTES) {
    store<i32>(tile, TILE_EMPTY);
    store<f32>(tile, -1, 4);
    store<f32>(tile, -1, 8);
    store<f32>(tile, -1, TILE_OCCLUSION);
  }
}

export function draw(frame: i32, call: i32): void {
  transformVertices(call, load<i32>(frame, FRAME_VERTICES));
  addAll(frame, call);
}

export function finish(frame: i32): void {
  coverAll(frame);
  shadeAll(frame);
}
