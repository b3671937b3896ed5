/** Places furniture along the walls of a room and on its counters, each with a pose from which all of it is in view. */
import type { Generator } from '@vlgym/core';
import { shapeOf } from './furniture.js';
import { cents, receptacleId } from './thor-id.js';

/** The agent's pose, in the units of ALFWorld's locations. */
export interface Pose {
  /** In steps of 0.25 m. */
  readonly x: number;
  readonly z: number;
  /** 0 to 3: towards +z, +x, -z, -x. */
  readonly rotation: number;
  /** Degrees below the horizon, -30 to 60. */
  readonly horizon: number;
}

export interface Receptacle {
  /** Class, e.g. `Cabinet`. */
  readonly type: string;
  /** Id as in AI2-THOR: `Cabinet|+01.25|+01.77|-02.10`. */
  readonly id: string;
  /** Meters; y is the height in the id. */
  readonly position: readonly [x: number, y: number, z: number];
  readonly size: readonly [width: number, depth: number];
  /** Height at which objects rest. */
  readonly surface: number;
  readonly pose: Pose;
}

/** Grid spacing, in meters. */
export const STEP = 0.25;
/** Free space at each end of a wall, so that the agent never stands inside furniture of the next wall, in meters. */
const CORNER = 1.25;
/** Height of the eye, in meters. */
const EYE = 1.65;
/** Distance between furniture and its user, in meters. */
const DISTANCE = 0.65;
/** Half of the field of view, slightly reduced, in meters aside per meter ahead. */
const HALF_VIEW = 0.5;

export interface Column {
  readonly types: readonly string[];
  readonly width: number;
}

/** Receptacles above each other share a place at the wall. */
export function columns(types: readonly string[]): Column[] {
  const made: Column[] = [];
  const open = new Map<string, string[]>();
  for (const type of types) {
    const { width, stack } = shapeOf(type);
    const column = open.get(type);
    if (stack !== undefined && column && column.length < 3) {
      column.push(type);
    } else {
      const fresh = [type];
      if (stack !== undefined) open.set(type, fresh);
      made.push({ types: fresh, width });
    }
  }
  return made;
}

/** Whether the items fit, filling wall by wall in order. */
export function fits(items: readonly Column[], width: number, depth: number): boolean {
  const walls = wallLengths(width, depth);
  let wall = 0;
  let used = 0;
  for (const item of items) {
    while (wall < walls.length && used + item.width > walls[wall]!) {
      wall += 1;
      used = 0;
    }
    used += item.width;
  }
  return wall < walls.length;
}

/** Usable length of each wall, in meters. */
export const wallLengths = (width: number, depth: number) =>
  [width, depth, width, depth].map((length) => length - 2 * CORNER);

export class RoomBuilder {
  readonly placed: Receptacle[] = [];
  readonly #width: number;
  readonly #depth: number;
  readonly #ids = new Set<string>();
  readonly #poses = new Set<string>();

  constructor(width: number, depth: number) {
    this.#width = width;
    this.#depth = depth;
  }

  along(items: readonly Column[]): void {
    const walls = wallLengths(this.#width, this.#depth);
    let wall = 0;
    let used = 0;
    for (const item of items) {
      while (used + item.width > walls[wall]!) {
        wall += 1;
        used = 0;
      }
      const along = used + item.width / 2 - walls[wall]! / 2;
      for (const [index, type] of item.types.entries()) this.put(type, wall, along, index);
      used += item.width;
    }
  }

  /** Furniture that machines stand on: counter tops; without a counter top, any other table. */
  get counters(): readonly Receptacle[] {
    const tops = this.placed.filter(({ type }) => type === 'CounterTop');
    return tops.length > 0 ? tops : this.placed.filter(({ surface }) => surface > 0.6 && surface < 1);
  }

  /** Places receptacles side by side on `counters`, of which there must be one. */
  onCounters(types: readonly string[]): void {
    const tables = this.counters;
    for (const [index, type] of types.entries()) {
      const table = tables[index % tables.length]!;
      const slot = Math.floor(index / tables.length);
      const wall = table.pose.rotation;
      const [x, , z] = table.position;
      const offset = (slot % 2 === 0 ? -1 : 1) * (0.35 - 0.05 * slot);
      this.put(type, wall, (wall % 2 === 0 ? x : z) + offset, 0);
    }
  }

  /** A pose near the middle that no receptacle uses, with as much furniture in view as possible. */
  startPose(rng: Generator): Pose {
    const steps = [-2, -1, 0, 1, 2];
    const free = steps
      .flatMap((x) => steps.flatMap((z) => [0, 1, 2, 3].map((rotation): Pose => ({ x, z, rotation, horizon: 30 }))))
      .filter((pose) => !this.#poses.has(poseKey(pose)));
    const visible = free.map((pose) => this.placed.filter(({ position }) => isInView(pose, position)).length);
    const maxVisible = Math.max(...visible);
    const best = free.filter((_, index) => visible[index] === maxVisible);
    return best[rng.integers(best.length)]!;
  }

  /** @param wall  0 to 3: rotation of an agent that faces it. @param along  Meters from the middle of the wall. */
  put(type: string, wall: number, along: number, level: number): void {
    const { width, depth, y, surface, stack = 0 } = shapeOf(type);
    const height = y - level * stack;
    const distance = (wall % 2 === 0 ? this.#depth : this.#width) / 2 - depth / 2;
    const [x, z] = onWall(wall, along, distance);
    let position: readonly [number, number, number] = [cents(x), cents(height), cents(z)];
    while (this.#ids.has(receptacleId(type, position)))
      position = [cents(position[0] + 0.01), position[1], cents(position[2] + 0.01)];
    const id = receptacleId(type, position);
    this.#ids.add(id);
    this.placed.push({
      type,
      id,
      position,
      size: [width, depth],
      surface: surface - level * stack,
      pose: this.#pose(wall, along, depth, surface - level * stack),
    });
  }

  /** A pose in front of the furniture, far enough to see all of it; each receptacle has a different one. */
  #pose(wall: number, along: number, depth: number, surface: number): Pose {
    const reach = (wall % 2 === 0 ? this.#depth : this.#width) / 2 - depth - DISTANCE;
    // Its contents appear in the middle of the picture.
    const down = Math.atan2(EYE - surface - 0.1, DISTANCE + depth / 2) * (180 / Math.PI);
    const nominal = Math.min(60, 15 * Math.round(down / 15) + 0);
    const horizons = [
      nominal,
      ...[60, 45, 30, 15, 0, -15, -30].filter((horizon) => Math.abs(horizon - nominal) === 15),
    ];
    for (let spread = 0; ; spread += 1) {
      for (const horizon of horizons) {
        for (const [back, side] of nearbyOffsets(spread)) {
          const [x, z] = onWall(wall, along + side * STEP, reach - back * STEP);
          const pose = { x: Math.round(x / STEP), z: Math.round(z / STEP), rotation: wall, horizon };
          if (this.#poses.has(poseKey(pose))) continue;
          this.#poses.add(poseKey(pose));
          return pose;
        }
      }
    }
  }
}

/** Offsets of `spread` steps in total, back and aside. */
function nearbyOffsets(spread: number): [back: number, side: number][] {
  const offsets: [number, number][] = [];
  for (let back = 0; back <= spread; back += 1) {
    const side = spread - back;
    offsets.push([back, side]);
    if (side > 0) offsets.push([back, -side]);
  }
  return offsets;
}

/** A point `along` the wall, and `out` from the middle of the room towards it. */
function onWall(wall: number, along: number, out: number): [x: number, z: number] {
  if (wall === 0) return [along, out];
  if (wall === 1) return [out, along];
  return wall === 2 ? [along, -out] : [-out, along];
}

/** Whether a position is in view, at least a meter away. */
function isInView({ x, z, rotation }: Pose, [placeX, , placeZ]: Receptacle['position']): boolean {
  const [toX, toZ] = [placeX - x * STEP, placeZ - z * STEP];
  const [ahead, aside] = rotation % 2 === 0 ? [toZ, toX] : [toX, toZ];
  const distance = rotation < 2 ? ahead : -ahead;
  return distance >= 1 && Math.abs(aside) <= HALF_VIEW * distance;
}

export function poseKey({ x, z, rotation, horizon }: Pose): string {
  return `${x}|${z}|${rotation}|${horizon}`;
}
