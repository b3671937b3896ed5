/**
 * Transforms the vertices of a draw call: homogeneous pixel coordinates, texture coordinates and the lit color.
 *
 * Light is computed per vertex as in OpenGL's fixed pipeline (glLight without specular light), in double precision:
 * color = clamp(base * (ambient + sum of light * max(0, normal . direction)) + emissive, 0, 1).
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import {
  DRAW,
  DRAW_LIT,
  DRAW_UNIT_NORMALS,
  DRAW_VERTEX_COLORS,
  SCREEN_VERTEX_BYTES,
  VERTEX_BYTES,
} from '../../src/soft/layout.js';

/** Writes one record of `SCREEN_VERTEX_BYTES` per vertex of the draw call, starting at the address `output`. */
export function transformVertices({ f32, f64, i32 }: KernelMemory, call: number, output: number): void {
  const m = call >> 3;
  const normal = (call + DRAW.normalMatrix) >> 3;
  const uv = (call + DRAW.uvMatrix) >> 3;
  const base = (call + DRAW.baseColor) >> 3;
  const ambient = (call + DRAW.ambient) >> 3;
  const emissive = (call + DRAW.emissive) >> 3;
  const lights = (call + DRAW.lights) >> 3;
  const flags = i32[(call + DRAW.flags) >> 2]!;
  const count = i32[(call + DRAW.vertexCount) >> 2]!;
  const lightCount = i32[(call + DRAW.lightCount) >> 2]!;
  const front = flags & DRAW_LIT;
  let from = i32[(call + DRAW.vertices) >> 2]! >> 2;
  let to = output >> 3;

  for (let index = 0; index < count; index += 1, from += VERTEX_BYTES >> 2, to += SCREEN_VERTEX_BYTES >> 3) {
    const x = f32[from]!;
    const y = f32[from + 1]!;
    const z = f32[from + 2]!;
    f64[to] = f64[m]! * x + f64[m + 1]! * y + f64[m + 2]! * z + f64[m + 3]!;
    f64[to + 1] = f64[m + 4]! * x + f64[m + 5]! * y + f64[m + 6]! * z + f64[m + 7]!;
    f64[to + 2] = f64[m + 8]! * x + f64[m + 9]! * y + f64[m + 10]! * z + f64[m + 11]!;
    f64[to + 3] = f64[m + 12]! * x + f64[m + 13]! * y + f64[m + 14]! * z + f64[m + 15]!;

    const u = f32[from + 6]!;
    const v = f32[from + 7]!;
    f64[to + 4] = f64[uv]! * u + f64[uv + 1]! * v + f64[uv + 2]!;
    f64[to + 5] = f64[uv + 3]! * u + f64[uv + 4]! * v + f64[uv + 5]!;

    let red = f64[base]!;
    let green = f64[base + 1]!;
    let blue = f64[base + 2]!;
    if (flags & DRAW_VERTEX_COLORS) {
      red *= f32[from + 8]!;
      green *= f32[from + 9]!;
      blue *= f32[from + 10]!;
    }
    if (front) {
      const nx = f32[from + 3]!;
      const ny = f32[from + 4]!;
      const nz = f32[from + 5]!;
      let wx = f64[normal]! * nx + f64[normal + 1]! * ny + f64[normal + 2]! * nz;
      let wy = f64[normal + 3]! * nx + f64[normal + 4]! * ny + f64[normal + 5]! * nz;
      let wz = f64[normal + 6]! * nx + f64[normal + 7]! * ny + f64[normal + 8]! * nz;
      if (flags & DRAW_UNIT_NORMALS) {
        const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
        if (length > 0) {
          wx /= length;
          wy /= length;
          wz /= length;
        }
      }
      let lightRed = f64[ambient]!;
      let lightGreen = f64[ambient + 1]!;
      let lightBlue = f64[ambient + 2]!;
      for (let light = 0; light < lightCount; light += 1) {
        const at = lights + light * 6;
        const facing = wx * f64[at]! + wy * f64[at + 1]! + wz * f64[at + 2]!;
        if (facing > 0) {
          lightRed += f64[at + 3]! * facing;
          lightGreen += f64[at + 4]! * facing;
          lightBlue += f64[at + 5]! * facing;
        }
      }
      red = red * lightRed + f64[emissive]!;
      green = green * lightGreen + f64[emissive + 1]!;
      blue = blue * lightBlue + f64[emissive + 2]!;
    }
    f64[to + 6] = clampUnit(red);
    f64[to + 7] = clampUnit(green);
    f64[to + 8] = clampUnit(blue);
  }
}

/** Clamps to 0 to 1; NaN becomes 0. */
function clampUnit(value: number): number {
  if (!(value > 0)) return 0;
  return Math.min(value, 1);
}
