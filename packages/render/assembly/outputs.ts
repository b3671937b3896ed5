/**
 * Additional outputs of a frame (depth, instances, segments of the surface that owns a pixel), and the packed colors.
 */
import {
  FRAME_COLOR,
  FRAME_DEPTH,
  FRAME_FAR,
  FRAME_HEIGHT,
  FRAME_INSTANCES,
  FRAME_NEAR,
  FRAME_ORTHOGRAPHIC,
  FRAME_RGB,
  FRAME_RGBA,
  FRAME_SEGMENTS,
  FRAME_TILES_X,
  FRAME_WIDTH,
  SURFACE_BYTES,
  SURFACE_INSTANCE,
  SURFACE_NEARNESS,
  SURFACE_SEGMENT,
  TILE,
} from './layout';

/** Surface numbers of four pixels, i32 [4]. */
export const OWNERS: i32 = <i32>memory.data(16);

export function writeOwners(frame: i32, primitives: i32, x: i32, y: i32, width: i32): void {
  const depth = load<i32>(frame, FRAME_DEPTH);
  const instances = load<i32>(frame, FRAME_INSTANCES);
  const segments = load<i32>(frame, FRAME_SEGMENTS);
  const near = load<f64>(frame, FRAME_NEAR);
  const far = load<f64>(frame, FRAME_FAR);
  const orthographic = load<i32>(frame, FRAME_ORTHOGRAPHIC) != 0;
  const lanes = min(4, width - x);
  const offset = (y * width + x) * 4;
  for (let lane = 0; lane < lanes; lane += 1) {
    const surface = load<i32>(OWNERS + lane * 4);
    const to = offset + lane * 4;
    const address = primitives + surface * SURFACE_BYTES;
    if (depth) {
      let distance = far;
      if (surface >= 0) {
        const nearness =
          load<f64>(address, SURFACE_NEARNESS) * (<f64>(x + lane) + 0.5) +
          load<f64>(address, SURFACE_NEARNESS + 8) * (<f64>y + 0.5) +
          load<f64>(address, SURFACE_NEARNESS + 16);
        distance = orthographic ? far + nearness * (near - far) : 1 / nearness;
        if (!(nearness > 0 && distance < far)) distance = far;
        if (distance < near) distance = near;
      }
      store<f32>(depth + to, <f32>distance);
    }
    if (instances) store<i32>(instances + to, surface < 0 ? 0 : load<i32>(address, SURFACE_INSTANCE));
    if (segments) store<i32>(segments + to, surface < 0 ? 0 : load<i32>(address, SURFACE_SEGMENT));
  }
}

export function pack(frame: i32): void {
  const width = load<i32>(frame, FRAME_WIDTH);
  const height = load<i32>(frame, FRAME_HEIGHT);
  const stride = load<i32>(frame, FRAME_TILES_X) * TILE * 4;
  const color = load<i32>(frame, FRAME_COLOR);
  const rgb = load<i32>(frame, FRAME_RGB);
  const rgba = load<i32>(frame, FRAME_RGBA);
  for (let y = 0; y < height; y += 1) {
    const row = color + y * stride;
    if (rgba) memory.copy(rgba + y * width * 4, row, width * 4);
    if (rgb) {
      // Each store writes 16 bytes, of which 12 count; the next store overwrites the rest.
      const to = rgb + y * width * 3;
      for (let x = 0; x < width; x += 4) {
        const pixels = v128.load(row + x * 4);
        v128.store(
          to + x * 3,
          v128.shuffle<u8>(pixels, pixels, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15),
        );
      }
    }
  }
}
