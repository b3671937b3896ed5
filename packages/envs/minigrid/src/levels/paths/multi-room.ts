/** A chain of rooms of random sizes: Farama-Foundation/Minigrid, `minigrid/envs/multiroom.py`. */
import { COLOR_NAMES, type Color } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { door, goal } from '../../world/thing.js';
import type { World } from '../../world/world.js';
import { reach } from '../goals.js';

const SIZE = 25;
const MIN_ROOM = 4;
const TRIES = 8;

type Point = readonly [x: number, y: number];

interface ChainRoom {
  readonly top: Point;
  readonly size: Point;
  readonly entry: Point;
}

export function multiRoom(roomCount: number, maxRoomSize = 10): Level {
  return {
    width: SIZE,
    height: SIZE,
    maxSteps: roomCount * 20,
    generate(world) {
      const rooms = drawChain(world, world.integer(roomCount, roomCount + 1), maxRoomSize);
      const grid = world.newGrid();
      let before: Color | undefined;
      for (const [index, { top, size, entry }] of rooms.entries()) {
        grid.border(top[0], top[1], size[0], size[1]);
        if (index === 0) continue;
        const color = world.element(COLOR_NAMES.filter((name) => name !== before));
        world.put(door(color), entry[0], entry[1]);
        before = color;
      }
      const [first, last] = [rooms[0]!, rooms.at(-1)!];
      world.placeAgent({ top: first.top, size: first.size });
      const [x, y] = world.place(goal(), { top: last.top, size: last.size });
      return { mission: 'traverse the rooms to get to the goal', goal: reach(x, y) };
    },
  };
}

/** The longest chain of the tries, until one has all rooms. */
function drawChain(world: World, count: number, maxRoomSize: number): ChainRoom[] {
  let longest: ChainRoom[] = [];
  while (longest.length < count) {
    const chain: ChainRoom[] = [];
    const entry: Point = [world.integer(0, SIZE - 2), world.integer(0, SIZE - 2)];
    addRoom(world, chain, { left: count, maxRoomSize, wall: 2, entry });
    if (chain.length > longest.length) longest = chain;
  }
  return longest;
}

interface Wanted {
  /** Rooms to add, this one included. */
  readonly left: number;
  readonly maxRoomSize: number;
  /** Wall of the entry: right, bottom, left, top. */
  readonly wall: number;
  readonly entry: Point;
}

function addRoom(world: World, chain: ChainRoom[], { left, maxRoomSize, wall, entry }: Wanted): boolean {
  const [width, height] = [world.integer(MIN_ROOM, maxRoomSize + 1), world.integer(MIN_ROOM, maxRoomSize + 1)];
  const [x, y] = chain.length === 0 ? entry : cornerOf(world, wall, entry, width, height);
  if (x < 0 || y < 0 || x + width > SIZE || y + height >= SIZE) return false;
  const overlaps = ({ top, size }: ChainRoom) =>
    !(x + width < top[0] || top[0] + size[0] <= x || y + height < top[1] || top[1] + size[1] <= y);
  if (chain.slice(0, -1).some(overlaps)) return false;
  chain.push({ top: [x, y], size: [width, height], entry });
  if (left === 1) return true;

  for (let tries = 0; tries < TRIES; tries += 1) {
    const exit = world.element([0, 1, 2, 3].filter((other) => other !== wall));
    const next: Point =
      exit % 2 === 0
        ? [exit === 0 ? x + width - 1 : x, y + world.integer(1, height - 1)]
        : [x + world.integer(1, width - 1), exit === 1 ? y + height - 1 : y];
    if (addRoom(world, chain, { left: left - 1, maxRoomSize, wall: (exit + 2) % 4, entry: next })) break;
  }
  return true;
}

function cornerOf(world: World, wall: number, [x, y]: Point, width: number, height: number): Point {
  if (wall % 2 === 0) return [wall === 0 ? x - width + 1 : x, world.integer(y - height + 2, y)];
  return [world.integer(x - width + 2, x), wall === 1 ? y - height + 1 : y];
}
