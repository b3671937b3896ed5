/**
 * Shapes of the drawings, as tests of a point in the unit square: Farama-Foundation/Minigrid, `minigrid/utils/rendering.py`.
 *
 * Corners are rounded to 32 bits where the original stores them so, because single pixels depend on it.
 */
export type Shape = (x: number, y: number) => boolean;

const { fround } = Math;

export const rectangle =
  (left: number, right: number, top: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x <= right && y >= top && y <= bottom;

export const circle =
  (centerX: number, centerY: number, radius: number): Shape =>
  (x, y) =>
    (x - centerX) * (x - centerX) + (y - centerY) * (y - centerY) <= radius * radius;

/** All points within a distance of a line. */
export function line(x0: number, y0: number, x1: number, y1: number, radius: number): Shape {
  const [startX, startY] = [fround(x0), fround(y0)];
  const [alongX, alongY] = [fround(fround(x1) - startX), fround(fround(y1) - startY)];
  const length = fround(Math.sqrt(fround(fround(alongX * alongX) + fround(alongY * alongY))));
  const [directionX, directionY] = [fround(alongX / length), fround(alongY / length)];
  const inBox = rectangle(
    Math.min(x0, x1) - radius,
    Math.max(x0, x1) + radius,
    Math.min(y0, y1) - radius,
    Math.max(y0, y1) + radius,
  );
  return (x, y) => {
    if (!inBox(x, y)) return false;
    const dot = (x - startX) * directionX + (y - startY) * directionY;
    const along = Math.min(Math.max(dot, 0), length);
    const [awayX, awayY] = [x - (startX + along * directionX), y - (startY + along * directionY)];
    return Math.sqrt(awayX * awayX + awayY * awayY) <= radius;
  };
}

type Point = readonly [x: number, y: number];

export function triangle(a: Point, b: Point, c: Point): Shape {
  const [ax, ay] = [fround(a[0]), fround(a[1])];
  const [v0x, v0y] = [fround(fround(c[0]) - ax), fround(fround(c[1]) - ay)];
  const [v1x, v1y] = [fround(fround(b[0]) - ax), fround(fround(b[1]) - ay)];
  const dot = (x: number, y: number, z: number, w: number) => fround(fround(x * z) + fround(y * w));
  const dot00 = dot(v0x, v0y, v0x, v0y);
  const dot01 = dot(v0x, v0y, v1x, v1y);
  const dot11 = dot(v1x, v1y, v1x, v1y);
  const inverse = fround(1 / fround(fround(dot00 * dot11) - fround(dot01 * dot01)));
  return (x, y) => {
    const [v2x, v2y] = [x - ax, y - ay];
    const dot02 = v0x * v2x + v0y * v2y;
    const dot12 = v1x * v2x + v1y * v2y;
    const u = (dot11 * dot02 - dot01 * dot12) * inverse;
    const v = (dot00 * dot12 - dot01 * dot02) * inverse;
    return u >= 0 && v >= 0 && u + v < 1;
  };
}

/** Turned around the middle of the square, in quarters of a turn, clockwise on the screen. */
export function turned(shape: Shape, quarters: number): Shape {
  const angle = -(0.5 * Math.PI * quarters);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return (x, y) => {
    const [dx, dy] = [x - 0.5, y - 0.5];
    return shape(0.5 + dx * cos - dy * sin, 0.5 + dy * cos + dx * sin);
  };
}
