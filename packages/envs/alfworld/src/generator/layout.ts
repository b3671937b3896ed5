/**
 * A room with its furniture: rectangular, on the 0.25 m grid of AI2-THOR, with furniture along the walls and a free middle.
 *
 * Furniture counts follow the statistics of ALFWorld's rooms (tables.generated.ts). Room type and number alone determine a
 * layout, so a split is a set of layouts.
 */
import { Generator } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import { SHAPES } from './furniture.js';
import { columns, fits, type Pose, type Receptacle, RoomBuilder, STEP } from './room-builder.js';
import { ROOMS } from './tables.generated.js';

export { type Pose, poseKey, type Receptacle } from './room-builder.js';

export const ROOM_TYPES = ['Kitchen', 'LivingRoom', 'Bedroom', 'Bathroom'] as const;
export type RoomType = (typeof ROOM_TYPES)[number];

export interface Layout {
  readonly room: RoomType;
  readonly number: number;
  readonly density: Density;
  /** Inner size in meters; the middle of the room is the origin. */
  readonly width: number;
  readonly depth: number;
  readonly receptacles: readonly Receptacle[];
  readonly start: Pose;
  /** Its scene number, if room and number do not give it. */
  readonly scene?: number;
  /** Rooms side by side, if they are not one as large as their furniture. */
  readonly areas?: readonly RoomArea[];
}

/** A room of a household with several; meters. */
export interface RoomArea {
  readonly room: RoomType;
  readonly low: readonly [x: number, z: number];
  readonly high: readonly [x: number, z: number];
}

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

const cache = new Map<string, Layout>();
const MAX_CACHED = 256;

/**
 * Scene numbers above ALFWorld's 430; the thousands give the room type: `FloorPlan1012` is a kitchen, and `FloorPlan11012` one
 * of published density. Custom layouts have numbers from 100,000.
 */
export function sceneNumber({ room, number, density, scene }: Layout): number {
  if (scene !== undefined) return scene;
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

/**
 * How full a household is: `light` has at most three objects of a class, 12 cabinets and no scenery; `published` has as many
 * receptacles and objects as ALFWorld's rooms.
 */
export const DENSITIES = ['light', 'published'] as const;

export type Density = (typeof DENSITIES)[number];
