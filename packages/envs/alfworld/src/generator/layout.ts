/**
 * A room with its furniture: rectangular, on the 0.25 m grid of AI2-THOR, with furniture along the walls and a free middle.
 *
 * Furniture counts follow the statistics of ALFWorld's rooms (tables.generated.ts). Room type and number alone determine a
 * layout, so a split is a set of layouts.
 */
import { Generator, SeedSequence } from '@vlgym/core';
import { SHAPES } from './furniture.js';
import type { Density } from './household-types.js';
import { ROOMS } from './tables.generated.js';

export const ROOM_TYPES = ['Kitchen', 'LivingRoom', 'Bedroom', 'Bathroom'] as const;
export type RoomType = (typeof ROOM_TYPES)[number];

/** Where the agent stands, in the units of ALFWorld's locations. */
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

export interface Layout {
  readonly room: RoomType;
  readonly number: number;
  readonly density: Density;
  /** Inner size in meters; the middle of the room is the origin. */
  readonly width: number;
  readonly depth: number;
  readonly receptacles: readonly Receptacle[];
  readonly start: Pose;
}

const STEP = 0.25;
/** Free space at each end of a wall, so that the agent never stands inside furniture of the next wall, meters. */
const CORNER = 1.25;
/** Height of the eye, meters. */
const EYE = 1.65;
/** Distance between furniture and its user, meters. */
const DISTANCE = 0.65;
/** Half of the field of view, slightly reduced, in meters aside per meter ahead. */
const HALF_VIEW = 0.5;
/** Maximum number of receptacles per class in `light` households. */
const MAX_COUNTS: Readonly<Record<string, number>> = { Cabinet: 12, Drawer: 9, Shelf: 9, StoveBurner: 4 };
const MAX_OTHERS = 4;
const KITCHEN_BASICS: Readonly<Record<string, number>> = {
  Fridge: 1,
  Microwave: 1,
  SinkBasin: 1,
  GarbageCan: 1,
  Toaster: 1,
  CoffeeMachine: 1,
  StoveBurner: 4,
  CounterTop: 1,
};

interface Column {
  readonly types: readonly string[];
  readonly width: number;
}

const cache = new Map<string, Layout>();
const MAX_CACHED = 256;

/**
 * Scene numbers above ALFWorld's 430; the thousands give the room type: `FloorPlan1012` is a kitchen, and `FloorPlan11012` one
 * of published density.
 */
export function sceneNumber({ room, number, density }: Pick<Layout, 'room' | 'number' | 'density'>): number {
  return (density === 'published' ? 10_000 : 0) + 1000 * (ROOM_TYPES.indexOf(room) + 1) + number;
}

export const floorPlanOf = (layout: Layout): string => `FloorPlan${sceneNumber(layout)}`;

/** The layout with this number; deterministic. */
export function layoutOf(room: RoomType, number: number, density: Density = 'light'): Layout {
  const key = `${room} ${number} ${density}`;
  let layout = cache.get(key);
  if (layout === undefined) {
    layout = makeLayout(room, number, density);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, layout);
  }
  return layout;
}

function makeLayout(room: RoomType, number: number, density: Density): Layout {
  const rng = new Generator(new SeedSequence([density === 'light' ? 1 : 2, ROOM_TYPES.indexOf(room), number]));
  const counts = drawCounts(room, density, rng);
  const types = [...counts].flatMap(([type, count]) => Array.from({ length: count }, () => type));
  const onFloor = rng.permutation(columns(types.filter((type) => SHAPES[type]!.place === 'floor')));
  const onWall = rng.permutation(columns(types.filter((type) => SHAPES[type]!.place === 'wall')));
  const onCounters = rng.permutation(types.filter((type) => SHAPES[type]!.place === 'counter'));

  let [width, depth] = [4 + STEP * rng.integers(0, 3), 4 + STEP * rng.integers(0, 3)];
  while (!fits(onFloor, width, depth) || !fits(onWall, width, depth)) {
    if (width <= depth) width += 2 * STEP;
    else depth += 2 * STEP;
  }
  const builder = new RoomBuilder(width, depth);
  builder.along(onFloor);
  builder.along(onWall);
  builder.onCounters(onCounters);
  return { room, number, density, width, depth, receptacles: builder.placed, start: builder.startPose(rng) };
}

function drawCounts(room: RoomType, density: Density, rng: Generator): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [type, [presence, min, mean, max]] of Object.entries(ROOMS[room]!.receptacles)) {
    if (SHAPES[type] === undefined) continue;
    const basic = room === 'Kitchen' ? (KITCHEN_BASICS[type] ?? 0) : 0;
    const isThere = rng.random() < presence;
    const most = density === 'light' ? Math.min(max, MAX_COUNTS[type] ?? MAX_OTHERS) : max;
    const count = drawCount(rng, min, mean, most);
    if (isThere || basic > 0) counts.set(type, Math.max(count, basic));
  }
  // Every room that can have the lamp task needs a table for the lamp.
  if ((room === 'Bedroom' || room === 'LivingRoom') && !counts.has('Desk') && !counts.has('SideTable'))
    counts.set('SideTable', 1);
  return counts;
}

/** Draws an integer around `mean`, from `min` to `max`. */
export function drawCount(rng: Generator, min: number, mean: number, max: number): number {
  const spread = Math.max(0, Math.min(mean - min, max - mean));
  const value = mean + (2 * rng.random() - 1) * spread;
  const whole = Math.floor(value) + (rng.random() < value % 1 ? 1 : 0);
  return Math.max(min, Math.min(max, whole));
}

/** Receptacles above each other share a place at the wall. */
function columns(types: readonly string[]): Column[] {
  const made: Column[] = [];
  const open = new Map<string, string[]>();
  for (const type of types) {
    const { width, stack } = SHAPES[type]!;
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
function fits(items: readonly Column[], width: number, depth: number): boolean {
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

const wallLengths = (width: number, depth: number) => [width, depth, width, depth].map((length) => length - 2 * CORNER);

class RoomBuilder {
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
      for (const [index, type] of item.types.entries()) this.#put(type, wall, along, index);
      used += item.width;
    }
  }

  /** Places receptacles side by side on counter tops; without a counter top, on any other table. */
  onCounters(types: readonly string[]): void {
    const tops = this.placed.filter(({ type }) => type === 'CounterTop');
    const tables = tops.length > 0 ? tops : this.placed.filter(({ surface }) => surface > 0.6 && surface < 1);
    for (const [index, type] of types.entries()) {
      const table = tables[index % tables.length]!;
      const slot = Math.floor(index / tables.length);
      const wall = table.pose.rotation;
      const [x, , z] = table.position;
      const offset = (slot % 2 === 0 ? -1 : 1) * (0.35 - 0.05 * slot);
      this.#put(type, wall, (wall % 2 === 0 ? x : z) + offset, 0);
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
  #put(type: string, wall: number, along: number, level: number): void {
    const { width, depth, y, surface, stack = 0 } = SHAPES[type]!;
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

function receptacleId(type: string, position: readonly number[]): string {
  const basin = /^(Sink|Bathtub)Basin$/.exec(type);
  const name = basin ? basin[1]! : type;
  return thorId(name, position) + (basin ? `|${type}` : '');
}

/** `Mug|+00.96|+00.10|-01.89` */
export function thorId(type: string, position: readonly number[]): string {
  return [type, ...position.map(coordinate)].join('|');
}

function coordinate(value: number): string {
  const hundredths = Math.round(value * 100);
  const digits = String(Math.abs(hundredths)).padStart(4, '0');
  const sign = hundredths > 0 ? '+' : hundredths < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Rounds to hundredths; never minus zero. */
export function cents(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
