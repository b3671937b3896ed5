/** Effects that mark states: steam, frost, sparkle. Sized for an object of one meter at the origin. */
import { box, glowing, move, rod, type Shape, shape, type Triple, turn, turned } from './solids.js';

/** Three rising wisps. */
export const STEAM: Shape = glowing(
  shape(...[-1, 0, 1].map((column) => wisp(column * 0.25, column === 0 ? 0.16 : 0.06))),
);

function wisp(x: number, low: number): Shape {
  const bend = (step: number): Triple => [x + 0.06 * Math.sin(step * 1.1), low + step * 0.09, 0];
  const thickness = [0.014, 0.024, 0.03, 0.03, 0.026, 0.02, 0.01];
  return shape(
    ...thickness.map((radius, step) => rod(step % 2 ? 0xffffff : 0xe9eef2, bend(step), bend(step + 1), radius)),
  );
}

function crystal(color: number, size: number): Shape {
  const arms = [0, 1, 2].map((arm) =>
    turn(box(color, [size * 2, size * 0.24, size * 0.24], [0, -size * 0.12, 0]), [0, 0, (arm * Math.PI) / 3]),
  );
  return shape(...arms);
}

/** Snow crystals around the object. */
export const FROST: Shape = glowing(
  shape(
    ...[
      [-0.36, 0.3],
      [0.36, 0.5],
      [0.02, 0.85],
      [0.1, 0.14],
    ].map(([x, y], index) => move(crystal(index % 2 ? 0xffffff : 0x8fe0ff, 0.11), [x!, y!, 0.42])),
  ),
);

/** A star with four rays. */
function star(size: number): Shape {
  const ray = turned(
    0xfff6a0,
    [
      [0, -size],
      [size * 0.18, 0],
      [0, size],
    ],
    4,
  );
  return shape(ray, turn(ray, [0, 0, Math.PI / 2]));
}

export const SPARKLE: Shape = glowing(
  shape(
    ...[
      [-0.38, 0.74, 0.22],
      [0.36, 0.86, 0.18],
      [0.02, 1.06, 0.13],
      [0.3, 0.26, 0.15],
    ].map(([x, y, size]) => move(star(size!), [x!, y!, 0.42])),
  ),
);
