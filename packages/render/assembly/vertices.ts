/** Vertices of a draw call, in the same steps as `test-support/typescript-kernel/vertices.ts`, which explains them. */
import {
  DRAW_AMBIENT,
  DRAW_BASE_COLOR,
  DRAW_EMISSIVE,
  DRAW_FLAGS,
  DRAW_LIGHTS,
  DRAW_LIGHT_COUNT,
  DRAW_NORMAL_MATRIX,
  DRAW_UV_MATRIX,
  DRAW_VERTEX_COUNT,
  DRAW_VERTICES,
  FLAG_LIT,
  FLAG_UNIT_NORMALS,
  FLAG_VERTEX_COLORS,
  SCREEN_VERTEX_BYTES,
  VERTEX_BYTES,
} from './layout';

// @ts-ignore: decorator
@inline
function row(at: i32, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at) * x + load<f64>(at, 8) * y + load<f64>(at, 16) * z + load<f64>(at, 24);
}

// @ts-ignore: decorator
@inline
function turned(at: i32, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at) * x + load<f64>(at, 8) * y + load<f64>(at, 16) * z;
}

// @ts-ignore: decorator
@inline
function clampUnit(value: f64): f64 {
  return value > 0 ? (value < 1 ? value : 1) : 0;
}

export function transformVertices(call: i32, output: i32): void {
  const flags = load<i32>(call, DRAW_FLAGS);
  const lightCount = load<i32>(call, DRAW_LIGHT_COUNT);
  const end = output + load<i32>(call, DRAW_VERTEX_COUNT) * SCREEN_VERTEX_BYTES;
  let from = load<i32>(call, DRAW_VERTICES);
  for (let to = output; to < end; to += SCREEN_VERTEX_BYTES, from += VERTEX_BYTES) {
    const x = <f64>load<f32>(from);
    const y = <f64>load<f32>(from, 4);
    const z = <f64>load<f32>(from, 8);
    store<f64>(to, row(call, x, y, z));
    store<f64>(to, row(call + 32, x, y, z), 8);
    store<f64>(to, row(call + 64, x, y, z), 16);
    store<f64>(to, row(call + 96, x, y, z), 24);

    const u = <f64>load<f32>(from, 24);
    const v = <f64>load<f32>(from, 28);
    const uv = call + DRAW_UV_MATRIX;
    store<f64>(to, load<f64>(uv) * u + load<f64>(uv, 8) * v + load<f64>(uv, 16), 32);
    store<f64>(to, load<f64>(uv, 24) * u + load<f64>(uv, 32) * v + load<f64>(uv, 40), 40);

    let red = load<f64>(call, DRAW_BASE_COLOR);
    let green = load<f64>(call, DRAW_BASE_COLOR + 8);
    let blue = load<f64>(call, DRAW_BASE_COLOR + 16);
    if (flags & FLAG_VERTEX_COLORS) {
      red *= <f64>load<f32>(from, 32);
      green *= <f64>load<f32>(from, 36);
      blue *= <f64>load<f32>(from, 40);
    }
    if (flags & FLAG_LIT) {
      const nx = <f64>load<f32>(from, 12);
      const ny = <f64>load<f32>(from, 16);
      const nz = <f64>load<f32>(from, 20);
      const normal = call + DRAW_NORMAL_MATRIX;
      let wx = turned(normal, nx, ny, nz);
      let wy = turned(normal + 24, nx, ny, nz);
      let wz = turned(normal + 48, nx, ny, nz);
      if (flags & FLAG_UNIT_NORMALS) {
        const length = sqrt(wx * wx + wy * wy + wz * wz);
        if (length > 0) {
          wx /= length;
          wy /= length;
          wz /= length;
        }
      }
      let lightRed = load<f64>(call, DRAW_AMBIENT);
      let lightGreen = load<f64>(call, DRAW_AMBIENT + 8);
      let lightBlue = load<f64>(call, DRAW_AMBIENT + 16);
      for (let light = 0; light < lightCount; light += 1) {
        const at = call + DRAW_LIGHTS + light * 48;
        const facing = turned(at, wx, wy, wz);
        if (facing > 0) {
          lightRed += load<f64>(at, 24) * facing;
          lightGreen += load<f64>(at, 32) * facing;
          lightBlue += load<f64>(at, 40) * facing;
        }
      }
      red = red * lightRed + load<f64>(call, DRAW_EMISSIVE);
      green = green * lightGreen + load<f64>(call, DRAW_EMISSIVE + 8);
      blue = blue * lightBlue + load<f64>(call, DRAW_EMISSIVE + 16);
    }
    store<f64>(to, clampUnit(red), 48);
    store<f64>(to, clampUnit(green), 56);
    store<f64>(to, clampUnit(blue), 64);
  }
}
