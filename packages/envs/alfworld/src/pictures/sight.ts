/**
 * The visible part of a receptacle, from where the agent uses it: inside the frame and not hidden by other furniture.
 */
import { type Receptacle, toWorld } from './geometry.js';
import type { Rest } from './models/furniture-look.js';
import type { Extent, Triple } from './models/solids.js';

/** Height of the agent's eye, in meters. */
export const EYE = 1.65;
/** Vertical, degrees. */
export const FIELD_OF_VIEW = 60;
/** Half of the frame, in meters aside per meter ahead; slightly reduced, so that objects are visible whole. */
const HALF_FRAME = 0.5;
/** Distance above a surface at which visibility is tested, in meters. */
const ABOVE_SURFACE = 0.03;
/** Penalty for a spot outside the frame; higher than for a hidden one. */
const OUT_OF_FRAME_PENALTY = 10;

/** Sizes of models that placement depends on. */
export interface Dimensions {
  restOf(receptacle: Receptacle, open: boolean): Rest;
  /** Boxes around its parts at the start, in coordinates of its model: middle at the origin, front towards +z. */
  solidsOf(receptacle: Receptacle): readonly Extent[];
  /** Half of the width that an object takes up, in meters. */
  radiusOf(kind: string): number;
  heightOf(kind: string): number;
}

/**
 * @param at  Position relative to the receptacle, like `approach`.
 * @param y  Height above the floor.
 * @returns Distance of the point from a square frame in meters; 0 inside it.
 */
export function outOfFrame(
  { approach, pitch }: Pick<Receptacle, 'approach' | 'pitch'>,
  at: readonly [x: number, z: number],
  y: number,
): number {
  const angle = (pitch * Math.PI) / 180;
  const [ahead, up] = [approach[1] - at[1], y - EYE];
  const far = ahead * Math.cos(angle) - up * Math.sin(angle);
  const high = ahead * Math.sin(angle) + up * Math.cos(angle);
  return Math.max(0, Math.abs(at[0] - approach[0]) - HALF_FRAME * far, Math.abs(high) - HALF_FRAME * far);
}

/** An upright cylinder around an object that lies on a receptacle. */
export interface Body {
  readonly spot: readonly [x: number, z: number];
  readonly radius: number;
  readonly height: number;
}

/** Points at which an object behind another is tested: fractions of its radius aside, and of its height above its base. */
const SILHOUETTE = [
  [-0.7, 0.4],
  [0.7, 0.4],
  [0, 0.8],
] as const;

/** The free area of a receptacle, as seen by an agent in front of it. */
export class View {
  readonly #receptacle: Receptacle;
  /** Height at which objects rest. */
  readonly #base: number;
  /** Height at which visibility is tested. */
  readonly #y: number;
  readonly #eye: Triple;
  readonly #obstacles: readonly Extent[];

  /** @param others  Furniture that may hide it; the receptacle itself is ignored. */
  constructor(receptacle: Receptacle, rest: Rest, others: Iterable<Solid>) {
    this.#receptacle = receptacle;
    this.#base = rest.y;
    this.#y = rest.y + (rest.hanging ? -ABOVE_SURFACE : ABOVE_SURFACE);
    this.#eye = this.#point(receptacle.approach, EYE);
    const [w, d] = [rest.size[0] / 2, rest.size[1] / 2];
    const sightLines = hull([
      this.#eye,
      this.#point([rest.at[0] - w, rest.at[1] - d], this.#y),
      this.#point([rest.at[0] + w, rest.at[1] + d], this.#y),
    ]);
    const obstacles: Extent[] = [];
    for (const solid of others) {
      if (solid.number === receptacle.number || !overlap(solid.whole, sightLines)) continue;
      for (const part of solid.parts) if (overlap(part, sightLines)) obstacles.push(part);
    }
    this.#obstacles = obstacles;
  }

  /** 0 for a visible spot; the less visible, the higher. */
  penaltyOf(spot: readonly [x: number, z: number]): number {
    const out = outOfFrame(this.#receptacle, spot, this.#y);
    if (out > 0) return OUT_OF_FRAME_PENALTY + out;
    const point = this.#point(spot, this.#y);
    return this.#obstacles.some((box) => crosses(this.#eye, point, box)) ? 1 : 0;
  }

  /** Whether the object in front hides all of the one behind. */
  hides(front: Body, back: Body): boolean {
    const { approach } = this.#receptacle;
    const [dx, dz] = [back.spot[0] - approach[0], back.spot[1] - approach[1]];
    const [fx, fz] = [front.spot[0] - approach[0], front.spot[1] - approach[1]];
    const distance = Math.sqrt(dx * dx + dz * dz);
    if (distance < 1e-6 || fx * fx + fz * fz >= distance * distance) return false;
    const [x, z] = [dx / distance, dz / distance];
    // Most objects are far from the line of sight.
    if (Math.abs(fx * z - fz * x) > front.radius + back.radius) return false;
    return SILHOUETTE.every(([aside, above]) => {
      const [px, pz] = [dx - z * aside * back.radius, dz + x * aside * back.radius];
      const way = Math.sqrt(px * px + pz * pz);
      const behind = (fx * px + fz * pz) / way + front.radius / 2;
      const miss = Math.abs(fx * pz - fz * px) / way;
      const ray = EYE + ((this.#base + above * back.height - EYE) * Math.min(behind, way)) / way;
      return miss < front.radius && ray < this.#base + front.height;
    });
  }

  #point(at: readonly [number, number], y: number): Triple {
    const [x, z] = toWorld(this.#receptacle, this.#receptacle.facing, at);
    return [x, y, z];
  }
}

/** The space that a receptacle takes up in the room at the start, as boxes. */
export class Solid {
  readonly number: number;
  readonly whole: Extent;
  readonly #receptacle: Receptacle;
  readonly #model: readonly Extent[];
  #parts: readonly Extent[] | undefined;

  constructor(receptacle: Receptacle, dimensions: Dimensions) {
    this.number = receptacle.number;
    this.#receptacle = receptacle;
    this.#model = dimensions.solidsOf(receptacle);
    this.whole = this.#inRoom(hull(this.#model.flatMap(({ low, high }) => [low, high])));
  }

  /** Computed on first use: most furniture never hides anything. */
  get parts(): readonly Extent[] {
    this.#parts ??= this.#model.map((part) => this.#inRoom(part));
    return this.#parts;
  }

  #inRoom({ low, high }: Extent): Extent {
    const [a, b] = [low, high].map((at) => toWorld(this.#receptacle, this.#receptacle.facing, [at[0], at[2]]));
    return hull([
      [a![0], low[1], a![1]],
      [b![0], high[1], b![1]],
    ]);
  }
}

function hull(points: readonly Triple[]): Extent {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const point of points) {
    for (let axis = 0; axis < 3; axis += 1) {
      low[axis] = Math.min(low[axis]!, point[axis]!);
      high[axis] = Math.max(high[axis]!, point[axis]!);
    }
  }
  return { low, high };
}

function overlap(one: Extent, other: Extent): boolean {
  for (let axis = 0; axis < 3; axis += 1) {
    if (one.low[axis]! > other.high[axis]! || one.high[axis]! < other.low[axis]!) return false;
  }
  return true;
}

/** Whether the segment between two points crosses a box. */
function crosses(from: Triple, to: Triple, { low, high }: Extent): boolean {
  let [enter, leave] = [0, 1];
  for (let axis = 0; axis < 3; axis += 1) {
    const way = to[axis]! - from[axis]!;
    if (Math.abs(way) < 1e-9) {
      if (from[axis]! < low[axis]! || from[axis]! > high[axis]!) return false;
      continue;
    }
    const [a, b] = [(low[axis]! - from[axis]!) / way, (high[axis]! - from[axis]!) / way];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
    if (enter > leave) return false;
  }
  return true;
}
