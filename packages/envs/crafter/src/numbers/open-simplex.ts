/**
 * OpenSimplex noise in three dimensions, in double precision.
 *
 * The algorithm is Kurt Spencer's (2014): space is cut into tetrahedra and octahedra, and a value is the sum over the corners
 * of one cell, and over two lattice points beyond it, of `(2 - distance^2)^4 * (gradient . offset)`. Seeding and the order of the
 * sum are those of the Python package opensimplex 0.4.5.1 (MIT), so values agree bit for bit; `golden.test.ts` pins them.
 */
const SQUISH = 1 / 3;
const STRETCH = -1 / 6;
/** Brings values to -1 … 1. */
const SCALE = 103;
const SIZE = 256;

/** The 24 gradients: 11 along one axis, 4 along the others, in all signs. */
const GRADIENTS = Float64Array.from({ length: 72 }, (_, at) => {
  const [signs, longAxis, axis] = [Math.floor(at / 9), Math.floor(at / 3) % 3, at % 3];
  const isPositive = axis === 0 ? (signs & 1) !== 0 : (signs & (1 << axis)) === 0;
  return (isPositive ? 1 : -1) * (longAxis === axis ? 11 : 4);
});

/** A step of the 64-bit generator that shuffles the table. */
const next = (state: bigint): bigint => BigInt.asIntN(64, state * 6364136223846793005n + 1442695040888963407n);

export class OpenSimplex {
  readonly #permutation = new Uint8Array(SIZE);
  /** Where the gradient of each entry begins. */
  readonly #gradientAt = new Uint8Array(SIZE);

  /** @param seed  A safe integer. */
  constructor(seed: number) {
    const source = Uint8Array.from({ length: SIZE }, (_, index) => index);
    let state = next(next(next(BigInt(seed))));
    for (let last = SIZE - 1; last >= 0; last -= 1) {
      state = next(state);
      const count = BigInt(last + 1);
      const remainder = (state + 31n) % count;
      const pick = Number(remainder < 0n ? remainder + count : remainder);
      const value = source[pick]!;
      this.#permutation[last] = value;
      this.#gradientAt[last] = (value % 24) * 3;
      source[pick] = source[last]!;
    }
  }

  /** @returns A value from -1 to 1. */
  at(x: number, y: number, z: number): number {
    const stretch = (x + y + z) * STRETCH;
    const [xs, ys, zs] = [x + stretch, y + stretch, z + stretch];
    const [i, j, k] = [Math.floor(xs), Math.floor(ys), Math.floor(zs)];
    const squish = (i + j + k) * SQUISH;
    const [u, v, w] = [xs - i, ys - j, zs - k];
    const corners = cornersOf(u, v, w);
    const [dx, dy, dz] = [x - (i + squish), y - (j + squish), z - (k + squish)];
    let value = 0;
    for (let at = 0; at < corners.length; at += 1) {
      const { a, b, c, shift } = corners[at]!;
      const [ox, oy, oz] = [dx - a - shift, dy - b - shift, dz - c - shift];
      const near = 2 - ox * ox - oy * oy - oz * oz;
      if (near <= 0) continue;
      const squared = near * near;
      const permutation = this.#permutation;
      const plane = permutation[(i + a) & 255]! + j + b;
      const gradient = this.#gradientAt[(permutation[plane & 255]! + k + c) & 255]!;
      const along = GRADIENTS[gradient]! * ox + GRADIENTS[gradient + 1]! * oy + GRADIENTS[gradient + 2]! * oz;
      value += squared * squared * along;
    }
    return value / SCALE;
  }
}

/** A lattice point of a cell. */
interface Corner {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** How far squishing moves it along each axis. */
  readonly shift: number;
}

function corner(a: number, b: number, c: number): Corner {
  return { a, b, c, shift: (a + b + c) * SQUISH };
}

const AXES = [1, 2, 4] as const;
/** A point by its axes: bit 1 is x, 2 is y, 4 is z. */
const inAxes = (axes: number, on: number, off: number): Corner => {
  const [a, b, c] = AXES.map((axis) => ((axes & axis) !== 0 ? on : off));
  return corner(a!, b!, c!);
};

const NEAR = [inAxes(0, 1, 0), inAxes(1, 1, 0), inAxes(2, 1, 0), inAxes(4, 1, 0)];
const FAR = [inAxes(3, 1, 0), inAxes(5, 1, 0), inAxes(6, 1, 0), inAxes(7, 1, 0)];
const MIDDLE = [...NEAR.slice(1), ...FAR.slice(0, 3)];

/** The axes that a set of one or two of them lacks, in order. */
const others = (axes: number) => AXES.filter((axis) => (axes & axis) === 0);
const ones = (axes: number) => AXES.filter((axis) => (axes & axis) !== 0);
/** 1 on two axes and -1 on the third, which is the first that is missing. */
const across = (axes: number) => inAxes(others(axes)[0]!, -1, 1);

/** For each pair of closest points, or the closest one, the corners of the cell and the two points beyond it. */
const table = (cell: readonly Corner[], extras: (axes: number) => readonly Corner[]): readonly Corner[][] =>
  Array.from({ length: 7 }, (_, axes) => (axes === 0 ? [] : [...cell, ...extras(axes)]));

const NEAR_ONE = table(NEAR, (axis) =>
  others(axis).map((other) => {
    const [a, b, c] = AXES.map((each) => (each === axis ? 1 : each === other ? -1 : 0));
    return corner(a!, b!, c!);
  }),
);
const NEAR_TWO = table(NEAR, (axes) => [inAxes(axes, 1, 0), inAxes(axes, 1, -1)]);
const FAR_ONE = table(FAR, (axes) =>
  ones(axes).map((twice) => {
    const [a, b, c] = AXES.map((each) => ((axes & each) === 0 ? 0 : each === twice ? 2 : 1));
    return corner(a!, b!, c!);
  }),
);
const FAR_TWO = table(FAR, (axis) => [inAxes(axis, 1, 0), inAxes(axis, 2, 0)]);
const BOTH_FAR = table(MIDDLE, (axis) => [inAxes(7, 1, 0), inAxes(axis, 2, 0)]);
const BOTH_NEAR = table(MIDDLE, (axes) => [inAxes(0, 1, 0), across(axes)]);
/** The farther point by its axes, then the nearer one. */
const ONE_OF_EACH = Array.from({ length: 7 }, (_, far) =>
  table(MIDDLE, (near) => (far === 0 ? [] : [across(far), inAxes(ones(near)[0]!, 2, 0)])),
);

/** The points that contribute at a place in a cell, in the order of the sum. */
function cornersOf(u: number, v: number, w: number): readonly Corner[] {
  const sum = u + v + w;
  if (sum <= 1) return atOrigin(u, v, w, 1 - sum);
  if (sum >= 2) return atOpposite(u, v, w, 3 - sum);
  return between(u, v, w);
}

function atOrigin(u: number, v: number, w: number, rest: number): readonly Corner[] {
  let [first, firstScore, second, secondScore] = [1, u, 2, v];
  if (firstScore >= secondScore && w > secondScore) [second, secondScore] = [4, w];
  else if (firstScore < secondScore && w > firstScore) [first, firstScore] = [4, w];
  if (rest > firstScore || rest > secondScore) return NEAR_ONE[secondScore > firstScore ? second : first]!;
  return NEAR_TWO[first | second]!;
}

function atOpposite(u: number, v: number, w: number, rest: number): readonly Corner[] {
  let [first, firstScore, second, secondScore] = [6, u, 5, v];
  if (firstScore <= secondScore && w < secondScore) [second, secondScore] = [3, w];
  else if (firstScore > secondScore && w < firstScore) [first, firstScore] = [3, w];
  if (rest < firstScore || rest < secondScore) return FAR_ONE[secondScore < firstScore ? second : first]!;
  return FAR_TWO[first & second]!;
}

function between(u: number, v: number, w: number): readonly Corner[] {
  // each pair of opposite corners: the closer one, and how much closer it is
  const [xy, xz, yz] = [u + v, u + w, v + w];
  let first = xy > 1 ? 3 : 4;
  let second = xz > 1 ? 5 : 2;
  let [firstFar, secondFar] = [xy > 1, xz > 1];
  const firstScore = xy > 1 ? xy - 1 : 1 - xy;
  const secondScore = xz > 1 ? xz - 1 : 1 - xz;
  const third = yz > 1 ? 6 : 1;
  const thirdScore = yz > 1 ? yz - 1 : 1 - yz;
  if (firstScore <= secondScore && firstScore < thirdScore) [first, firstFar] = [third, yz > 1];
  else if (firstScore > secondScore && secondScore < thirdScore) [second, secondFar] = [third, yz > 1];
  if (firstFar && secondFar) return BOTH_FAR[first & second]!;
  if (!firstFar && !secondFar) return BOTH_NEAR[first | second]!;
  return firstFar ? ONE_OF_EACH[first]![second]! : ONE_OF_EACH[second]![first]!;
}
