/** Go to an object or a door: Farama-Foundation/Minigrid, `minigrid/envs/babyai/goto.py`. */

import { GenerationError } from '../../world/generation-error.js';
import type { Rooms } from '../../world/rooms.js';
import type { Level } from '../../world/task.js';
import type { Thing } from '../../world/thing.js';
import { type DescribedType, Description } from '../description.js';
import { type GeneratedLevel, generatedLevel } from '../generated-level.js';
import { GoTo } from '../instructions.js';
import { type BabyAILevel, babyaiLevel, checkReachable } from '../level.js';

/** Its kind and color. */
export const described = ({ type, color }: Thing): Description => new Description(type as DescribedType, color);
const goToThing = (thing: Thing) => new GoTo(described(thing));

const oneRoom = (level: Omit<BabyAILevel, 'rows' | 'columns'>): Level => babyaiLevel({ ...level, rows: 1, columns: 1 });
const ANY = { allUnique: false } as const;

/** @param dull  Everything else has the color of walls. */
export function goToRedBall({
  distractors = 7,
  dull = false,
}: {
  readonly distractors?: number;
  readonly dull?: boolean;
} = {}): Level {
  return oneRoom({
    mission(rooms) {
      rooms.placeAgent();
      const wanted = rooms.addObject(0, 0, 'ball', 'red');
      const others = rooms.addDistractors(distractors, ANY);
      if (dull) for (const other of others) other.color = 'grey';
      checkReachable(rooms);
      return goToThing(wanted);
    },
  });
}

export function goToRedBlueBall(): Level {
  return oneRoom({
    mission(rooms) {
      rooms.placeAgent();
      for (const { type, color } of rooms.addDistractors(7, ANY)) {
        if (type === 'ball' && (color === 'blue' || color === 'red')) {
          throw new GenerationError('a second red or blue ball');
        }
      }
      const wanted = rooms.addObject(0, 0, 'ball', rooms.world.element(['red', 'blue'] as const));
      checkReachable(rooms);
      return goToThing(wanted);
    },
  });
}

export function goToObject(roomSize = 8): Level {
  return oneRoom({
    roomSize,
    mission(rooms) {
      rooms.placeAgent();
      return goToThing(rooms.addDistractors(1)[0]!);
    },
  });
}

export function goToLocal(roomSize = 8, distractors = 8): Level {
  return oneRoom({
    roomSize,
    mission(rooms) {
      rooms.placeAgent();
      const things = rooms.addDistractors(distractors, ANY);
      checkReachable(rooms);
      return goToThing(rooms.world.element(things));
    },
  });
}

export interface GoToMaze {
  readonly roomSize?: number;
  readonly rows?: number;
  readonly columns?: number;
  readonly distractors?: number;
  readonly doorsOpen?: boolean;
}

export function goToAnywhere({ roomSize, rows, columns, distractors = 18, doorsOpen = false }: GoToMaze = {}): Level {
  return babyaiLevel({
    roomSize,
    rows,
    columns,
    mission(rooms) {
      rooms.placeAgent();
      rooms.connectAll();
      const things = rooms.addDistractors(distractors, ANY);
      checkReachable(rooms);
      const wanted = rooms.world.element(things);
      if (doorsOpen) openAllDoors(rooms);
      return goToThing(wanted);
    },
  });
}

function openAllDoors(rooms: Rooms): void {
  for (const { doors } of rooms.all) {
    for (const door of doors) if (door && door !== true) door.isOpen = true;
  }
}

export function goToBehindLock(): Level {
  return babyaiLevel({
    mission(rooms) {
      const [i, j] = rooms.randomRoom();
      addLockAndKey(rooms, i, j);
      rooms.connectAll();
      furnish(rooms, 2);
      placeOutside(rooms, i, j);
      checkReachable(rooms);
      return goToThing(rooms.addDistractors(1, { i, j, allUnique: false })[0]!);
    },
  });
}

/**
 * Locks a room and puts its key anywhere. The original wants another room, but compares two numbers of NumPy by identity,
 * which are never the same object: the key may lie behind its own door, and then nobody can solve the level.
 */
export function addLockAndKey(rooms: Rooms, i: number, j: number): Thing {
  const door = rooms.addDoor(i, j, { locked: true });
  const [keyI, keyJ] = rooms.randomRoom();
  rooms.addObject(keyI, keyJ, 'key', door.color);
  return door;
}

/** Objects in every room, for the same reason also in the locked one. */
export function furnish(rooms: Rooms, count: number): void {
  for (let i = 0; i < rooms.columns; i += 1) {
    for (let j = 0; j < rooms.rows; j += 1) rooms.addDistractors(count, { i, j, allUnique: false });
  }
}

export function placeOutside(rooms: Rooms, i: number, j: number): void {
  const locked = rooms.room(i, j);
  do rooms.placeAgent();
  while (rooms.agentRoom === locked);
}

export function goToSequence(sizes: Pick<GeneratedLevel, 'roomSize' | 'rows' | 'columns' | 'distractors'> = {}): Level {
  return generatedLevel({ ...sizes, actions: ['goto'], lockedRoomProbability: 0, locations: false, unblocking: false });
}

export function goToDoor(): Level {
  return babyaiLevel({
    roomSize: 7,
    mission(rooms) {
      const doors = Array.from({ length: 4 }, () => rooms.addDoor(1, 1));
      rooms.placeAgent(1, 1);
      return goToThing(rooms.world.element(doors));
    },
  });
}

export function goToObjectOrDoor(): Level {
  return babyaiLevel({
    mission(rooms) {
      rooms.placeAgent(1, 1);
      const things = rooms.addDistractors(8, { i: 1, j: 1, allUnique: false });
      for (let count = 0; count < 4; count += 1) things.push(rooms.addDoor(1, 1));
      checkReachable(rooms);
      return goToThing(rooms.world.element(things));
    },
  });
}
