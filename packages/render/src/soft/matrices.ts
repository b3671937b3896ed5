/** Matrices of a draw call. Inputs are stored column by column, as in three.js. */
import { DRAW } from './layout.js';

/** Writes view * world and the inverse transpose of world's upper left 3 x 3 part. */
export function writeMatrices(f64: Float64Array, call: number, rows: Float64Array, world: readonly number[]): void {
  const to = call >> 3;
  for (let row = 0; row < 16; row += 4) {
    for (let column = 0; column < 16; column += 4) {
      f64[to + row + (column >> 2)] =
        rows[row]! * world[column]! +
        rows[row + 1]! * world[column + 1]! +
        rows[row + 2]! * world[column + 2]! +
        rows[row + 3]! * world[column + 3]!;
    }
  }
  const a = world[0]!;
  const b = world[4]!;
  const c = world[8]!;
  const d = world[1]!;
  const e = world[5]!;
  const f = world[9]!;
  const g = world[2]!;
  const h = world[6]!;
  const i = world[10]!;
  const scale = 1 / determinant(world);
  const normal = (call + DRAW.normalMatrix) >> 3;
  f64[normal] = (e * i - f * h) * scale;
  f64[normal + 1] = (f * g - d * i) * scale;
  f64[normal + 2] = (d * h - e * g) * scale;
  f64[normal + 3] = (c * h - b * i) * scale;
  f64[normal + 4] = (a * i - c * g) * scale;
  f64[normal + 5] = (b * g - a * h) * scale;
  f64[normal + 6] = (b * f - c * e) * scale;
  f64[normal + 7] = (c * d - a * f) * scale;
  f64[normal + 8] = (a * e - b * d) * scale;
}

/** Determinant of the upper left 3 x 3 part; negative if the matrix mirrors. */
export function determinant(m: readonly number[]): number {
  return (
    m[0]! * (m[5]! * m[10]! - m[9]! * m[6]!) -
    m[4]! * (m[1]! * m[10]! - m[9]! * m[2]!) +
    m[8]! * (m[1]! * m[6]! - m[5]! * m[2]!)
  );
}

export function multiply(one: readonly number[], other: ArrayLike<number>): number[] {
  return Array.from({ length: 16 }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < 4; k += 1) sum += one[k * 4 + (at & 3)]! * other[(at >> 2) * 4 + k]!;
    return sum;
  });
}

/** Flips the normals of a draw call. */
export function turnNormals(f64: Float64Array, call: number): void {
  const normal = (call + DRAW.normalMatrix) >> 3;
  for (let at = normal; at < normal + 9; at += 1) f64[at] = -f64[at]!;
}
