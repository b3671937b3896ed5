/** Find objects, also through corridors: Farama-Foundation/Minigrid, `minigrid/envs/babyai/other.py`. */
import type { Level } from '../../world/task.js';
import { type DescribedType, Description } from '../description.js';
import { GoTo, Open, Pickup } from '../instructions.js';
import { babyaiLevel } from '../level.js';
import { described } from './go-to.js';

/** Any action with any object or door of the room. */
export function actionWithObjectOrDoor(): Level {
  return babyaiLevel({
    roomSize: 7,
    mission(rooms) {
      const { world } = rooms;
      const things = rooms.addDistractors(5, { i: 1, j: 1 });
      for (let count = 0; count < 4; count += 1) things.push(rooms.addDoor(1, 1, { locked: false }));
      rooms.placeAgent(1, 1);
      const chosen = world.element(things);
      const description = described(chosen);
      if (world.boolean()) return new GoTo(description);
      return chosen.type === 'door' ? new Open(description) : new Pickup(description);
    },
  });
}

export function findObject(roomSize: number): Level {
  return babyaiLevel({
    roomSize,
    maxSteps: 20 * roomSize ** 2,
    mission(rooms) {
      const { world } = rooms;
      // drawn in this order, rows first, as published
      const i = world.integer(0, rooms.rows);
      const wanted = rooms.addObject(i, world.integer(0, rooms.columns));
      rooms.placeAgent(1, 1);
      rooms.connectAll();
      return new Pickup(new Description(wanted.type as DescribedType));
    },
  });
}

export function keyCorridor(roomSize = 6, rows = 3): Level {
  return babyaiLevel({
    roomSize,
    rows,
    maxSteps: 30 * roomSize ** 2,
    mission(rooms) {
      const { world } = rooms;
      for (let j = 1; j < rooms.rows; j += 1) rooms.removeWall(1, j, 3);
      const row = world.integer(0, rooms.rows);
      const locked = rooms.addDoor(2, row, { index: 2, locked: true });
      rooms.addObject(2, row, 'ball');
      rooms.addObject(0, world.integer(0, rooms.rows), 'key', locked.color);
      rooms.placeAgent(1, Math.floor(rooms.rows / 2));
      rooms.connectAll();
      return new Pickup(new Description('ball'));
    },
  });
}

export function oneRoom(roomSize = 8): Level {
  return babyaiLevel({
    roomSize,
    rows: 1,
    columns: 1,
    mission(rooms) {
      rooms.addObject(0, 0, 'ball');
      rooms.placeAgent();
      return new Pickup(new Description('ball'));
    },
  });
}
