/**
 * Additional outputs of a frame (depth, instances, segments of the surface that owns a pixel), and the packed colors.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { FRAME, SURFACE, TILE } from '../../src/soft/layout.js';

/** Writes depth, instance and segment of four pixels. @param owner  [4] the surface that each belongs to. */
export function writeOwners(memory: KernelMemory, frame: number, owner: Int32Array, x: number, y: number): void {
  const { i32, f32, f64 } = memory;
  const width = i32[(frame + FRAME.width) >> 2]!;
  const depth = i32[(frame + FRAME.depth) >> 2]!;
  const instances = i32[(frame + FRAME.instances) >> 2]!;
  const segments = i32[(frame + FRAME.segments) >> 2]!;
  if (!depth && !instances && !segments) return;
  const near = f64[(frame + FRAME.near) >> 3]!;
  const far = f64[(frame + FRAME.far) >> 3]!;
  const orthographic = i32[(frame + FRAME.orthographic) >> 2]!;
  const lanes = Math.min(4, width - x);
  for (let lane = 0; lane < lanes; lane += 1) {
    const surface = owner[lane]!;
    const pixel = y * width + x + lane;
    const address = i32[(frame + FRAME.primitives) >> 2]! + surface * SURFACE.size;
    if (depth) {
      let distance = far;
      if (surface >= 0) {
        const plane = (address + SURFACE.nearness) >> 3;
        const nearness = f64[plane]! * (x + lane + 0.5) + f64[plane + 1]! * (y + 0.5) + f64[plane + 2]!;
        distance = orthographic ? far + nearness * (near - far) : 1 / nearness;
        // The center may lie outside the visible surface, even beyond the horizon of its plane.
        if (!(nearness > 0 && distance < far)) distance = far;
        if (distance < near) distance = near;
      }
      f32[(depth >> 2) + pixel] = distance;
    }
    if (instances) {
      i32[(instances >> 2) + pixel] = surface < 0 ? 0 : i32[(address + SURFACE.instance) >> 2]!;
    }
    if (segments) {
      i32[(segments >> 2) + pixel] = surface < 0 ? 0 : i32[(address + SURFACE.segment) >> 2]!;
    }
  }
}

/** Copies rows without padding. */
export function pack(memory: KernelMemory, frame: number): void {
  const { i32, u8 } = memory;
  const width = i32[(frame + FRAME.width) >> 2]!;
  const height = i32[(frame + FRAME.height) >> 2]!;
  const stride = i32[(frame + FRAME.tilesX) >> 2]! * TILE * 4;
  const color = i32[(frame + FRAME.color) >> 2]!;
  const rgb = i32[(frame + FRAME.rgb) >> 2]!;
  const rgba = i32[(frame + FRAME.rgba) >> 2]!;
  for (let y = 0; y < height; y += 1) {
    const row = color + y * stride;
    if (rgba) u8.copyWithin(rgba + y * width * 4, row, row + width * 4);
    for (let x = 0; rgb && x < width; x += 1) {
      const to = rgb + (y * width + x) * 3;
      u8[to] = u8[row + x * 4]!;
      u8[to + 1] = u8[row + x * 4 + 1]!;
      u8[to + 2] = u8[row + x * 4 + 2]!;
    }
  }
}
