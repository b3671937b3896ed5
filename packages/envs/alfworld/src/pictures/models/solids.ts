/**
 * A small modeling kit: boxes, turned bodies, rings, and rods, combined to shapes. Plain numbers, without three.js.
 *
 * Meters; y is up, the front faces +z. A solid stands on the origin unless noted otherwise.
 */

export type Triple = readonly [x: number, y: number, z: number];

/** Triangles of one color: three vertices each, counter-clockwise as seen from outside. */
export interface Piece {
  readonly positions: readonly number[];
  /** One unit vector per vertex. */
  readonly normals: readonly number[];
  /** 0xRRGGBB */
  readonly color: number;
  /** Unaffected by light and shade. */
  readonly glows: boolean;
  /** Share of the color, 0 to 1, per vertex; default 1. */
  readonly shades?: readonly number[];
}

export type Shape = readonly Piece[];

/** Combines shapes. */
export function shape(...parts: readonly Shape[]): Shape {
  return parts.flat();
}

/** @param top  Width and depth of the upper face, relative to the lower one. */
export function box(color: number, [w, h, d]: Triple, at: Triple = [0, 0, 0], top: readonly [number, number] = [1, 1]) {
  const soup = new Soup();
  const corner = (x: number, y: number, z: number): Triple => {
    const [u, v] = y > 0 ? top : [1, 1];
    return [(x * w * u) / 2, y * h, (z * d * v) / 2];
  };
  for (const side of [1, -1]) {
    soup.quad(corner(side, 0, side), corner(side, 0, -side), corner(side, 1, -side), corner(side, 1, side));
    soup.quad(corner(-side, 0, side), corner(side, 0, side), corner(side, 1, side), corner(-side, 1, side));
  }
  soup.quad(corner(-1, 1, 1), corner(1, 1, 1), corner(1, 1, -1), corner(-1, 1, -1));
  soup.quad(corner(-1, 0, -1), corner(1, 0, -1), corner(1, 0, 1), corner(-1, 0, 1));
  return move(soup.shape(color), at);
}

/**
 * A body of revolution around the y axis.
 *
 * @param profile  Radius and height of its outline from bottom to top; going down again makes it hollow.
 */
export function turned(color: number, profile: readonly (readonly [radius: number, y: number])[], sides = 12): Shape {
  const soup = new Soup();
  const at = ([radius, y]: readonly [number, number], side: number): Triple => {
    const angle = (2 * Math.PI * (side + 0.5)) / sides;
    return [radius * Math.sin(angle), y, radius * Math.cos(angle)];
  };
  for (let index = 0; index + 1 < profile.length; index += 1) {
    const [low, high] = [profile[index]!, profile[index + 1]!];
    const slope: Triple = [high[1] - low[1], low[0] - high[0], 0];
    for (let side = 0; side < sides; side += 1) {
      const normal = (position: number): Triple => {
        const angle = (2 * Math.PI * (position + 0.5)) / sides;
        return unit([slope[0] * Math.sin(angle), slope[1], slope[0] * Math.cos(angle)]);
      };
      const [a, b, c, d] = [at(low, side), at(low, side + 1), at(high, side + 1), at(high, side)];
      const [left, right] = [normal(side + 0.5), normal(side + 0.5)];
      if (low[0] > 0) soup.triangle([a, left], [b, right], [high[0] > 0 ? c : d, right]);
      if (high[0] > 0) soup.triangle([a, left], [c, right], [d, left]);
    }
  }
  return soup.shape(color);
}

/** A cylinder; a cone if `top` differs from `radius`. */
export function cylinder(
  color: number,
  radius: number,
  height: number,
  at: Triple = [0, 0, 0],
  top = radius,
  sides = 12,
) {
  return move(
    turned(
      color,
      [
        [0, 0],
        [radius, 0],
        [top, height],
        [0, height],
      ],
      sides,
    ),
    at,
  );
}

/** An open vessel with a wall and a visible inside. */
export function vessel(
  color: number,
  inside: number,
  low: number,
  high: number,
  height: number,
  floor = 0.01,
  sides = 14,
) {
  const wall = Math.min(0.008, high * 0.12);
  return shape(
    turned(
      color,
      [
        [0, 0],
        [low, 0],
        [high, height],
        [high - wall, height],
      ],
      sides,
    ),
    turned(
      inside,
      [
        [high - wall, height],
        [low - wall, floor],
        [0, floor],
      ],
      sides,
    ),
  );
}

/** An ellipsoid around `at`. */
export function ball(color: number, [rx, ry, rz]: Triple, at: Triple = [0, 0, 0], rings = 5, sides = 10): Shape {
  const soup = new Soup();
  const point = (ring: number, side: number): readonly [Triple, Triple] => {
    const [up, around] = [(Math.PI * ring) / rings, (2 * Math.PI * side) / sides];
    const [x, y, z] = [Math.sin(up) * Math.sin(around), -Math.cos(up), Math.sin(up) * Math.cos(around)];
    return [[x * rx, y * ry, z * rz], unit([x / rx, y / ry, z / rz])];
  };
  for (let ring = 0; ring < rings; ring += 1) {
    for (let side = 0; side < sides; side += 1) {
      const [a, b, c, d] = [point(ring, side), point(ring, side + 1), point(ring + 1, side + 1), point(ring + 1, side)];
      if (ring > 0) soup.triangle(a, b, c);
      if (ring < rings - 1) soup.triangle(a, c, d);
    }
  }
  return move(soup.shape(color), at);
}

/** The lower half of an ellipsoid, with its flat cut at y = 0 facing up. */
export function halfBall(skin: number, cut: number, [rx, ry, rz]: Triple): Shape {
  const lower = [0, 1, 2, 3, 4].map((step): readonly [number, number] => {
    const angle = (Math.PI / 2) * (step / 4);
    return [Math.sin(angle), -Math.cos(angle)];
  });
  return shape(
    stretch(turned(skin, lower), [rx, ry, rz]),
    stretch(
      turned(cut, [
        [1, 0],
        [0, 0],
      ]),
      [rx, 1, rz],
    ),
  );
}

/** A ring that lies flat around `at`. */
export function ring(color: number, radius: number, thickness: number, at: Triple = [0, 0, 0], sides = 14): Shape {
  const corners = 5;
  const outline = Array.from({ length: corners + 1 }, (_, index): readonly [number, number] => {
    const angle = (2 * Math.PI * index) / corners - Math.PI / 2;
    return [radius + thickness * Math.cos(angle), thickness * Math.sin(angle)];
  });
  return move(turned(color, outline, sides), at);
}

/** A straight rod between two points. */
export function rod(color: number, from: Triple, to: Triple, radius: number, sides = 6): Shape {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(x, y, z);
  const straight = cylinder(color, radius, length, [0, 0, 0], radius, sides);
  const tilted = turn(straight, [Math.acos(Math.min(1, Math.max(-1, y / length))), 0, 0]);
  return move(turn(tilted, [0, Math.atan2(x, z), 0]), from);
}

export function glowing(given: Shape): Shape {
  return given.map((piece) => ({ ...piece, glows: true }));
}

export function move(given: Shape, [dx, dy, dz]: Triple): Shape {
  return mapped(given, ([x, y, z]) => [x + dx, y + dy, z + dz]);
}

/** Radians about x, then y, then z. */
export function turn(given: Shape, [ax, ay, az]: Triple): Shape {
  const [sx, cx, sy, cy, sz, cz] = [ax, ay, az].flatMap((angle) => [Math.sin(angle), Math.cos(angle)]) as Six;
  const rotate = ([x, y, z]: Triple): Triple => {
    const [y1, z1] = [y * cx - z * sx, y * sx + z * cx];
    const [x2, z2] = [x * cy + z1 * sy, -x * sy + z1 * cy];
    return [x2 * cz - y1 * sz, x2 * sz + y1 * cz, z2];
  };
  return mapped(given, rotate, rotate);
}

type Six = [number, number, number, number, number, number];

/** Scales along each axis by positive factors. */
export function stretch(given: Shape, [fx, fy, fz]: Triple): Shape {
  return mapped(
    given,
    ([x, y, z]) => [x * fx, y * fy, z * fz],
    ([x, y, z]) => unit([x / fx, y / fy, z / fz]),
  );
}

/** Lowest and highest x, y, and z. */
export interface Extent {
  readonly low: Triple;
  readonly high: Triple;
}

export function extentOf(given: Shape): Extent {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { positions } of given) {
    for (let index = 0; index < positions.length; index += 1) {
      const [axis, value] = [index % 3, positions[index]!];
      if (value < low[axis]!) low[axis] = value;
      if (value > high[axis]!) high[axis] = value;
    }
  }
  return { low: low as unknown as Triple, high: high as unknown as Triple };
}

function mapped(given: Shape, point: (at: Triple) => Triple, normal?: (direction: Triple) => Triple): Shape {
  const mapTriples = (numbers: readonly number[], map: (triple: Triple) => Triple) => {
    const result: number[] = [];
    for (let index = 0; index < numbers.length; index += 3) {
      result.push(...map([numbers[index]!, numbers[index + 1]!, numbers[index + 2]!]));
    }
    return result;
  };
  return given.map((piece) => ({
    ...piece,
    positions: mapTriples(piece.positions, point),
    normals: normal ? mapTriples(piece.normals, normal) : piece.normals,
  }));
}

class Soup {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];

  triangle(...corners: readonly (readonly [at: Triple, normal: Triple])[]): void {
    for (const [at, normal] of corners) {
      this.#positions.push(...at);
      this.#normals.push(...normal);
    }
  }

  /** Counter-clockwise. */
  quad(a: Triple, b: Triple, c: Triple, d: Triple): void {
    const [u, v] = [difference(b, a), difference(d, a)];
    const normal = unit([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]);
    for (const corner of [a, b, c, a, c, d]) this.triangle([corner, normal]);
  }

  shape(color: number): Shape {
    return [{ positions: this.#positions, normals: this.#normals, color, glows: false }];
  }
}

function difference(a: Triple, b: Triple): Triple {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function unit([x, y, z]: Triple): Triple {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
