/**
 * What is seen of a receptacle from where the agent uses it: what is within the frame of the picture, and not hidden by
 * other furniture.
 */
import { type Receptacle, toWorld } from './floor-plan.js';
import type { Rest } from './models/furniture-look.js';
import type { Extent, Triple } from './models/solids.js';

/** Height of the agent's eye, meters. */
export const EYE = 1.65;
/** From bottom to top, degrees. */
export const FIELD_OF_VIEW = 60;
/** Half of the frame, as meters aside for a meter ahead: a little less than all, so that things are seen whole. */
const HALF = 0.5;
/** A point that lies on something is looked for so far above it, meters. */
const ABOVE = 0.03;
/** Worse than any spot that is hidden. */
const OUT_OF_FRAME = 10;

/** What of models the places depend on. */
export interface Dimensions {
  restOf(receptacle: Receptacle, open: boolean): Rest;
  /** Boxes around its parts at the start, as its model is: its middle at the origin, its front towards +z. */
  solidsOf(receptacle: Receptacle): readonly Extent[];
  /** Half of the width that a thing takes up, meters. */
  radiusOf(kind: string): number;
  heightOf(kind: string): number;
}

/**
 * @param at  On the floor plan of the receptacle, as `approach` is.
 * @param y  Height above the floor.
 * @returns Meters that a point is out of a square frame; 0 within it.
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
  return Math.max(0, Math.abs(at[0] - approach[0]) - HALF * far, Math.abs(high) - HALF * far);
}

/** An upright cylinder around a thing that lies on a receptacle. */
export interface Body {
  readonly spot: readonly [x: number, z: number];
  readonly radius: number;
  readonly height: number;
}

/** Where to look for a thing behind another: aside in parts of its radius, above in parts of its height. */
const SILHOUETTE = [
  [-0.7, 0.4],
  [0.7, 0.4],
  [0, 0.8],
] as const;

/** The free area of a receptacle as it is seen by who stands before it. */
export class View {
  readonly #receptacle: Receptacle;
  /** Of what lies there. */
  readonly #base: number;
  readonly #y: number;
  readonly #eye: Triple;
  readonly #between: readonly Extent[];

  /** @param others  What may hide it; the receptacle itself does not. */
  constructor(receptacle: Receptacle, rest: Rest, others: Iterable<Solid>) {
    this.#receptacle = receptacle;
    this.#base = rest.y;
    this.#y = rest.y + (rest.hanging ? -ABOVE : ABOVE);
    this.#eye = this.#point(receptacle.approach, EYE);
    const [w, d] = [rest.size[0] / 2, rest.size[1] / 2];
    const around = hull([
      this.#eye,
      this.#point([rest.at[0] - w, rest.at[1] - d], this.#y),
      this.#point([rest.at[0] + w, rest.at[1] + d], this.#y),
    ]);
    const between: Extent[] = [];
    for (const solid of others) {
      if (solid.number === receptacle.number || !meet(solid.whole, around)) continue;
      for (const part of solid.parts) if (meet(part, around)) between.push(part);
    }
    this.#between = between;
  }

  /** 0 where a spot is seen; more, the worse it is seen. */
  faultOf(spot: readonly [x: number, z: number]): number {
    const out = outOfFrame(this.#receptacle, spot, this.#y);
    if (out > 0) return OUT_OF_FRAME + out;
    const point = this.#point(spot, this.#y);
    return this.#between.some((box) => crosses(this.#eye, point, box)) ? 1 : 0;
  }

  /** Whether one thing stands so before another that nothing of that is seen. */
  hides(front: Body, back: Body): boolean {
    const { approach } = this.#receptacle;
    const [dx, dz] = [back.spot[0] - approach[0], back.spot[1] - approach[1]];
    const [fx, fz] = [front.spot[0] - approach[0], front.spot[1] - approach[1]];
    const distance = Math.sqrt(dx * dx + dz * dz);
    if (distance < 1e-6 || fx * fx + fz * fz >= distance * distance) return false;
    const [x, z] = [dx / distance, dz / distance];
    // most are far from the way
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

/** Where a receptacle is in the room at the start, as boxes. */
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

  /** Most furniture is never in between. */
  get parts(): readonly Extent[] {
    this.#parts ??= this.#model.map((each) => this.#inRoom(each));
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

function meet(one: Extent, other: Extent): boolean {
  for (let axis = 0; axis < 3; axis += 1) {
    if (one.low[axis]! > other.high[axis]! || one.high[axis]! < other.low[axis]!) return false;
  }
  return true;
}

/** Whether the way from one point to another leads through a box. */
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
