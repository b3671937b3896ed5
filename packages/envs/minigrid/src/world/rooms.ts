/**
 * A grid of square rooms with doors between them: Farama-Foundation/Minigrid, `minigrid/core/roomgrid.py`.
 *
 * Rooms count from the left (`i`) and from the top (`j`); walls and doors of a room are right, down, left, up.
 */
import { COLOR_NAMES, type Color, KINDS, type Kind } from './constants.js';
import { GenerationError } from './generation-error.js';
import type { Level, Task } from './task.js';
import { door, Thing } from './thing.js';
import type { World } from './world.js';

type Position = [x: number, y: number];

export class Room {
  readonly top: readonly [x: number, y: number];
  readonly size: number;
  /** `true` stands for a wall that was removed. */
  doors: (Thing | true | undefined)[] = [undefined, undefined, undefined, undefined];
  doorPositions: (Position | undefined)[] = [undefined, undefined, undefined, undefined];
  neighbors: (Room | undefined)[] = [undefined, undefined, undefined, undefined];
  isLocked = false;
  things: Thing[] = [];

  constructor(top: readonly [number, number], size: number) {
    this.top = top;
    this.size = size;
  }

  /** Forgets doors and things. */
  clear(): void {
    this.doors = [undefined, undefined, undefined, undefined];
    this.doorPositions = [undefined, undefined, undefined, undefined];
    this.neighbors = [undefined, undefined, undefined, undefined];
    this.isLocked = false;
    this.things = [];
  }

  contains(x: number, y: number): boolean {
    const [left, upper] = this.top;
    return x >= left && y >= upper && x < left + this.size && y < upper + this.size;
  }
}

export interface RoomSizes {
  /** Cells of a side, walls included. */
  readonly roomSize: number;
  readonly rows: number;
  readonly columns: number;
}

export interface DoorOptions {
  readonly index?: number | undefined;
  readonly color?: Color | undefined;
  readonly locked?: boolean | undefined;
}

const CROWDED = 1000;
const MAX_CONNECTING = 5000;

export class Rooms {
  readonly world: World;
  readonly roomSize: number;
  rows: number;
  columns: number;
  readonly rooms: Room[][] = [];

  /** Builds the walls into a new grid, and draws where doors will be. */
  constructor(world: World, { roomSize, rows, columns }: RoomSizes) {
    this.world = world;
    this.roomSize = roomSize;
    this.rows = rows;
    this.columns = columns;
    world.newGrid();
    const pitch = roomSize - 1;
    for (let j = 0; j < rows; j += 1) {
      this.rooms.push(Array.from({ length: columns }, (_, i) => new Room([i * pitch, j * pitch], roomSize)));
    }
    this.build();
  }

  /** Walls, places of doors, and the agent in the middle. */
  build(): void {
    const { world, rows, columns, roomSize } = this;
    const all = this.rooms.slice(0, rows).flatMap((row) => row.slice(0, columns));
    for (const { top } of all) world.grid.border(top[0], top[1], roomSize, roomSize);
    for (let j = 0; j < rows; j += 1) {
      for (let i = 0; i < columns; i += 1) this.#connect(i, j);
    }
    const middle = (count: number) => Math.floor(count / 2) * (roomSize - 1) + Math.floor(roomSize / 2);
    world.putAgent(middle(columns), middle(rows), 0);
  }

  #connect(i: number, j: number): void {
    const room = this.room(i, j);
    const [left, upper] = [room.top[0] + 1, room.top[1] + 1];
    const [right, lower] = [room.top[0] + room.size - 1, room.top[1] + room.size - 1];
    if (i < this.columns - 1) {
      room.neighbors[0] = this.room(i + 1, j);
      room.doorPositions[0] = [right, this.world.integer(upper, lower)];
    }
    if (j < this.rows - 1) {
      room.neighbors[1] = this.room(i, j + 1);
      room.doorPositions[1] = [this.world.integer(left, right), lower];
    }
    if (i > 0) {
      room.neighbors[2] = this.room(i - 1, j);
      room.doorPositions[2] = room.neighbors[2].doorPositions[0];
    }
    if (j > 0) {
      room.neighbors[3] = this.room(i, j - 1);
      room.doorPositions[3] = room.neighbors[3].doorPositions[1];
    }
  }

  room(i: number, j: number): Room {
    return this.rooms[j]![i]!;
  }

  roomAt(x: number, y: number): Room {
    const pitch = this.roomSize - 1;
    return this.room(Math.floor(x / pitch), Math.floor(y / pitch));
  }

  get agentRoom(): Room {
    return this.roomAt(this.world.agentX, this.world.agentY);
  }

  get all(): Room[] {
    return this.rooms.flat();
  }

  randomRoom(): [i: number, j: number] {
    return [this.world.integer(0, this.columns), this.world.integer(0, this.rows)];
  }

  /** Not next to the agent. @throws {GenerationError} */
  placeInRoom(i: number, j: number, thing: Thing): Position {
    const { world } = this;
    const room = this.room(i, j);
    const [agentX, agentY] = [world.agentX, world.agentY];
    const rejects = (x: number, y: number) => Math.abs(agentX - x) + Math.abs(agentY - y) < 2;
    const position = world.place(thing, { top: room.top, size: [room.size, room.size], rejects, maxTries: CROWDED });
    room.things.push(thing);
    return position;
  }

  /** Kind and color are drawn unless they are given. @throws {GenerationError} */
  addObject(i: number, j: number, kind?: Kind, color?: Color): Thing {
    const drawn = kind ?? this.world.element(KINDS);
    const thing = new Thing(drawn, color ?? this.world.color());
    this.placeInRoom(i, j, thing);
    return thing;
  }

  /** Wall, color and lock are drawn unless they are given. */
  addDoor(i: number, j: number, { index, color, locked }: DoorOptions = {}): Thing {
    const { world } = this;
    const room = this.room(i, j);
    let at = index;
    while (at === undefined) {
      const drawn = world.integer(0, 4);
      if (room.neighbors[drawn] && room.doors[drawn] === undefined) at = drawn;
    }
    const drawnColor = color ?? world.color();
    room.isLocked = locked ?? world.boolean();
    const made = door(drawnColor, room.isLocked);
    const [x, y] = room.doorPositions[at]!;
    world.grid.set(x, y, made);
    made.moveTo(x, y);
    room.doors[at] = made;
    room.neighbors[at]!.doors[(at + 2) % 4] = made;
    return made;
  }

  /** Opens the whole wall to the neighbor. */
  removeWall(i: number, j: number, index: number): void {
    const room = this.room(i, j);
    const [left, upper] = room.top;
    const far = room.size - 1;
    for (let at = 1; at < far; at += 1) {
      if (index === 0) this.world.grid.set(left + far, upper + at, undefined);
      else if (index === 1) this.world.grid.set(left + at, upper + far, undefined);
      else if (index === 2) this.world.grid.set(left, upper + at, undefined);
      else this.world.grid.set(left + at, upper, undefined);
    }
    room.doors[index] = true;
    room.neighbors[index]!.doors[(index + 2) % 4] = true;
  }

  /** Not in front of an object; the room is drawn unless it is given. @throws {GenerationError} */
  placeAgent(i?: number, j?: number): void {
    const { world } = this;
    const column = i ?? world.integer(0, this.columns);
    const row = j ?? world.integer(0, this.rows);
    const { top, size } = this.room(column, row);
    for (;;) {
      world.placeAgent({ top, size: [size, size], maxTries: CROWDED });
      const ahead = world.grid.get(world.frontX, world.frontY);
      if (ahead === undefined || ahead.type === 'wall') return;
    }
  }

  /** Adds unlocked doors until the agent can reach every room. @throws {GenerationError} */
  connectAll(colors: readonly Color[] = COLOR_NAMES): void {
    const start = this.agentRoom;
    for (let tries = 0; ; tries += 1) {
      if (tries > MAX_CONNECTING) throw new GenerationError('the rooms could not be connected');
      if (reachableFrom(start) === this.rows * this.columns) return;
      const [i, j] = this.randomRoom();
      const index = this.world.integer(0, 4);
      const room = this.room(i, j);
      if (!room.doorPositions[index] || room.doors[index]) continue;
      if (room.isLocked || room.neighbors[index]!.isLocked) continue;
      this.addDoor(i, j, { index, color: this.world.element(colors), locked: false });
    }
  }

  /** Random objects, in a given room or anywhere. @throws {GenerationError} */
  addDistractors(
    count: number,
    { i, j, allUnique = true }: { readonly i?: number; readonly j?: number; readonly allUnique?: boolean } = {},
  ): Thing[] {
    const known = new Set(this.all.flatMap(({ things }) => things.map(({ type, color }) => `${color} ${type}`)));
    const added: Thing[] = [];
    while (added.length < count) {
      const color = this.world.color();
      const kind = this.world.element(KINDS);
      if (allUnique && known.has(`${color} ${kind}`)) continue;
      const column = i ?? this.world.integer(0, this.columns);
      const row = j ?? this.world.integer(0, this.rows);
      added.push(this.addObject(column, row, kind, color));
      known.add(`${color} ${kind}`);
    }
    return added;
  }
}

function reachableFrom(start: Room): number {
  const reached = new Set<Room>();
  const stack = [start];
  for (let room = stack.pop(); room; room = stack.pop()) {
    if (reached.has(room)) continue;
    reached.add(room);
    for (let index = 0; index < 4; index += 1) {
      if (room.doors[index]) stack.push(room.neighbors[index]!);
    }
  }
  return reached.size;
}

/** A level made of rooms. */
export function roomLevel(
  sizes: RoomSizes,
  { maxSteps, generate }: { readonly maxSteps: number; readonly generate: (rooms: Rooms) => Task },
): Level {
  return {
    width: (sizes.roomSize - 1) * sizes.columns + 1,
    height: (sizes.roomSize - 1) * sizes.rows + 1,
    maxSteps,
    generate: (world) => generate(new Rooms(world, sizes)),
  };
}
