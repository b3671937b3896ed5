/**
 * The layout of a plan: rooms side by side, with furniture where the plan says, and the rest along the walls in its order.
 *
 * Distances are those of generated layouts (`generator/room-builder.ts`): the ends of each wall stay free, so that nobody
 * stands inside furniture.
 */
import { type Generator, InvalidOptionError } from '@vlgym/core';
import { shapeOf } from '../generator/furniture.js';
import type { Pose, Receptacle, RoomArea, RoomType } from '../generator/layout.js';
import { RoomBuilder, STEP, wallLengths } from '../generator/room-builder.js';
import { cents, receptacleId } from '../generator/thor-id.js';
import { type CheckedPlan, type CheckedReceptacle, type CheckedRoom, WALLS } from './plan.js';

/** Receptacles by the label that `objects` use, a name or a class. */
export interface Furnished {
  readonly width: number;
  readonly depth: number;
  readonly receptacles: readonly Receptacle[];
  readonly named: ReadonlyMap<string, readonly Receptacle[]>;
  readonly areas: readonly RoomArea[];
  readonly start: Pose;
}

const SMALLEST = 4;
/** Longest side of a room, in meters: enough for any list of 60 receptacles. */
const LARGEST = 60;
/** Between two rooms, in meters. */
const WALL = 0.5;
const MACHINES_PER_TABLE = 4;
/** Free space around every place where the agent can stand, in meters. */
const ELBOW_ROOM = 0.3;

/** @throws {InvalidOptionError} Furniture does not fit, overlaps, or has nothing to stand on. */
export function furnish({ rooms }: CheckedPlan, rng: Generator): Furnished {
  const receptacles: Receptacle[] = [];
  const named = new Map<string, Receptacle[]>();
  const areas: RoomArea[] = [];
  let start: Pose | undefined;
  let west = 0;
  let depths = 0;
  for (const [index, room] of rooms.entries()) {
    const { builder, size, owners } = furnishRoom(room, `rooms.${index}`);
    const [width, depth] = size;
    // The first room is in the middle of the map, as generated ones are.
    const middle = index === 0 ? 0 : STEP * Math.ceil((west + WALL + width / 2) / STEP);
    const moved = builder.placed.map((receptacle) => eastward(receptacle, middle));
    for (const [number, receptacle] of moved.entries()) {
      const { name, type } = owners[number]!;
      for (const label of new Set([type, ...(name === undefined ? [] : [name])])) {
        named.set(label, [...(named.get(label) ?? []), receptacle]);
      }
    }
    start ??= builder.startPose(rng);
    areas.push(
      areaOf(room.type ?? looksLike(moved), middle, size, [
        ...moved.map(({ pose }) => pose),
        ...(index === 0 ? [start] : []),
      ]),
    );
    receptacles.push(...moved);
    west = middle + width / 2;
    depths = Math.max(depths, depth);
  }
  const first = areas[0]!;
  return { width: west - first.low[0], depth: depths, receptacles, named, areas, start: start! };
}

interface Item {
  readonly owner: CheckedReceptacle;
  /** Class and number of pieces above each other. */
  readonly type: string;
  height: number;
  readonly option: string;
}

function furnishRoom(room: CheckedRoom, option: string) {
  const items: Item[] = [];
  const machines: Item[] = [];
  for (const [index, owner] of room.receptacles.entries()) {
    const { type, count = 1, wall, at } = owner;
    const path = `${option}.receptacles.${index}`;
    const { place, stack } = shapeOf(type);
    if (at !== undefined && wall === undefined)
      throw new InvalidOptionError(
        `${path}.at`,
        at,
        'no value without `wall`',
        'say along which wall: north, east, south or west',
      );
    if (place === 'counter' && wall !== undefined)
      throw new InvalidOptionError(
        `${path}.wall`,
        wall,
        `no value for ${type}, which stands on a counter`,
        'leave `wall` out',
      );
    const most = stack === undefined ? 1 : 3;
    if (at !== undefined && count > most)
      throw new InvalidOptionError(
        `${path}.count`,
        count,
        `at most ${most} ${type} at one place`,
        'give each its own entry, or leave `at` out',
      );
    for (let left = count; left > 0; left -= 1) {
      const open = items.findLast((item) => item.type === type && item.height < most && canShare(item.owner, owner));
      if (place === 'counter') machines.push({ owner, type, height: 1, option: path });
      else if (open) open.height += 1;
      else items.push({ owner, type, height: 1, option: path });
    }
  }
  let size: [number, number] = room.size ? [...room.size] : [SMALLEST, SMALLEST];
  let spots = place(items, size);
  while (!Array.isArray(spots)) {
    const { owner, option: at, type } = spots.misfit;
    if (room.size || Math.max(...size) > LARGEST || spots.overlaps !== undefined)
      throw misfit(spots, at, owner, type, size);
    size = size[0] <= size[1] ? [size[0] + 2 * STEP, size[1]] : [size[0], size[1] + 2 * STEP];
    spots = place(items, size);
  }
  const builder = new RoomBuilder(...size);
  const owners: CheckedReceptacle[] = [];
  for (const [index, { type, height, owner }] of items.entries()) {
    const { wall, along } = spots[index]!;
    for (let level = 0; level < height; level += 1) {
      builder.put(type, wall, along, level);
      owners.push(owner);
    }
  }
  const tables = builder.counters.length;
  const [last] = machines.slice(tables * MACHINES_PER_TABLE);
  if (last) {
    throw new InvalidOptionError(
      `${last.option}.type`,
      last.type,
      tables === 0
        ? 'a room with a CounterTop or a table to put it on'
        : `at most ${MACHINES_PER_TABLE} machines per counter or table`,
      `add a CounterTop to the receptacles of ${option}`,
    );
  }
  builder.onCounters(machines.map(({ type }) => type));
  owners.push(...machines.map(({ owner }) => owner));
  return { builder, size, owners };
}

/** Drawers and shelves of one entry, and those that the plan puts nowhere, stand above each other. */
function canShare(one: CheckedReceptacle, other: CheckedReceptacle): boolean {
  return one === other || (one.wall === undefined && other.wall === undefined);
}

interface Spot {
  readonly wall: number;
  /** Meters from the middle of the wall, as `RoomBuilder.put` takes it. */
  readonly along: number;
}

interface Misfit {
  readonly misfit: Item;
  /** The item in its way. */
  readonly overlaps?: Item;
}

/** A spot for each item: first those that the plan places, then the others in its order. */
function place(items: readonly Item[], [width, depth]: readonly [number, number]): Spot[] | Misfit {
  const lengths = wallLengths(width, depth);
  const spots: (Spot | undefined)[] = items.map(() => undefined);
  const taken: { readonly item: Item; readonly wall: number; readonly from: number; readonly to: number }[] = [];
  const isHung = (item: Item) => shapeOf(item.type).place === 'wall';
  const inWay = (item: Item, wall: number, from: number) =>
    taken.find(
      (other) =>
        other.wall === wall &&
        isHung(other.item) === isHung(item) &&
        other.from < from + shapeOf(item.type).width - SLACK &&
        other.to > from + SLACK,
    );
  const put = (index: number, wall: number, from: number) => {
    const item = items[index]!;
    const to = from + shapeOf(item.type).width;
    taken.push({ item, wall, from, to });
    spots[index] = { wall, along: (from + to) / 2 - lengths[wall]! / 2 };
  };
  for (const [index, item] of items.entries()) {
    const { wall: name, at } = item.owner;
    if (name === undefined || at === undefined) continue;
    const wall = WALLS.indexOf(name);
    // To the right of someone who faces it: against the axis along the east and south walls.
    const along = wall === 0 || wall === 3 ? at : -at;
    const from = lengths[wall]! / 2 + along - shapeOf(item.type).width / 2;
    if (from < -SLACK || from + shapeOf(item.type).width > lengths[wall]! + SLACK) return { misfit: item };
    const other = inWay(item, wall, from);
    if (other) return { misfit: item, overlaps: other.item };
    put(index, wall, from);
  }
  for (const [index, item] of items.entries()) {
    if (spots[index]) continue;
    const walls = item.owner.wall === undefined ? [0, 1, 2, 3] : [WALLS.indexOf(item.owner.wall)];
    const found = walls.flatMap((wall) => {
      const starts = [0, ...taken.filter((other) => other.wall === wall).map(({ to }) => to)].sort((a, b) => a - b);
      const start = starts.find(
        (from) => from + shapeOf(item.type).width <= lengths[wall]! + SLACK && !inWay(item, wall, from),
      );
      return start === undefined ? [] : [{ wall, start }];
    });
    if (found.length === 0) return { misfit: item };
    put(index, found[0]!.wall, found[0]!.start);
  }
  return spots as Spot[];
}

/** For rounding, in meters. */
const SLACK = 1e-6;

function misfit(
  { overlaps }: Misfit,
  option: string,
  owner: CheckedReceptacle,
  type: string,
  [width, depth]: readonly [number, number],
) {
  if (overlaps) {
    return new InvalidOptionError(
      `${option}.at`,
      owner.at,
      `a place that does not overlap ${overlaps.type} (${overlaps.option})`,
      `${type} is ${shapeOf(type).width} m wide: choose another \`at\` or wall, or leave both out`,
    );
  }
  const walls = [...new Set(wallLengths(width, depth))].map((length) => `${Math.max(0, length)} m`).join(' and ');
  return new InvalidOptionError(
    option,
    type,
    `furniture that fits along the walls of a room of ${width} x ${depth} m, ${walls} without the corners`,
    `${type} is ${shapeOf(type).width} m wide: ${owner.at === undefined ? '' : 'move it to the middle, '}leave \`size\` out, make the room larger, or give it less furniture`,
  );
}

function eastward(receptacle: Receptacle, meters: number): Receptacle {
  if (meters === 0) return receptacle;
  const { type, position, pose } = receptacle;
  const moved = [cents(position[0] + meters), position[1], position[2]] as const;
  return {
    ...receptacle,
    id: receptacleId(type, moved),
    position: moved,
    pose: { ...pose, x: pose.x + meters / STEP },
  };
}

/** As large as planned, and wherever the agent stands to use its furniture. */
function areaOf(
  room: RoomType,
  middle: number,
  [width, depth]: readonly [number, number],
  poses: readonly Pose[],
): RoomArea {
  const xs = poses.map(({ x }) => x * STEP);
  const zs = poses.map(({ z }) => z * STEP);
  return {
    room,
    low: [
      Math.min(middle - width / 2, ...xs.map((x) => x - ELBOW_ROOM)),
      Math.min(-depth / 2, ...zs.map((z) => z - ELBOW_ROOM)),
    ],
    high: [
      Math.max(middle + width / 2, ...xs.map((x) => x + ELBOW_ROOM)),
      Math.max(depth / 2, ...zs.map((z) => z + ELBOW_ROOM)),
    ],
  };
}

function looksLike(receptacles: readonly Receptacle[]): RoomType {
  const has = (...types: string[]) => receptacles.some(({ type }) => types.includes(type));
  if (has('Fridge', 'StoveBurner')) return 'Kitchen';
  if (has('Toilet', 'BathtubBasin')) return 'Bathroom';
  return has('Bed') ? 'Bedroom' : 'LivingRoom';
}
