/** Locked doors: Farama-Foundation/Minigrid, `minigrid/envs/babyai/unlock.py`. */
import { COLOR_NAMES } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { ball, box, key } from '../../world/thing.js';
import { Description } from '../description.js';
import { Open, Pickup } from '../instructions.js';
import { babyaiLevel, checkReachable } from '../level.js';
import { addLockAndKey, described, furnish, placeOutside } from './go-to.js';

const PAIR = { roomSize: 6, rows: 1, columns: 2 };

export function unlock(): Level {
  return babyaiLevel({
    mission(rooms) {
      const { world } = rooms;
      const [i, j] = rooms.randomRoom();
      const locked = addLockAndKey(rooms, i, j);
      if (world.boolean()) rooms.connectAll(COLOR_NAMES.filter((color) => color !== locked.color));
      else rooms.connectAll();
      furnish(rooms, 3);
      placeOutside(rooms, i, j);
      checkReachable(rooms);
      return new Open(described(locked));
    },
  });
}

export function unlockLocal({ distractors = 0 }: { readonly distractors?: number } = {}): Level {
  return babyaiLevel({
    mission(rooms) {
      const locked = rooms.addDoor(1, 1, { locked: true });
      rooms.addObject(1, 1, 'key', locked.color);
      rooms.addDistractors(distractors, { i: 1, j: 1 });
      rooms.placeAgent(1, 1);
      return new Open(new Description('door'));
    },
  });
}

export function keyInBox(): Level {
  return babyaiLevel({
    mission(rooms) {
      const locked = rooms.addDoor(1, 1, { locked: true });
      rooms.placeInRoom(1, 1, box(rooms.world.color(), key(locked.color)));
      rooms.placeAgent(1, 1);
      return new Open(new Description('door'));
    },
  });
}

export function unlockPickup({ distractors = 0 }: { readonly distractors?: number } = {}): Level {
  return babyaiLevel({
    ...PAIR,
    mission(rooms) {
      const wanted = rooms.addObject(1, 0, 'box');
      const locked = rooms.addDoor(0, 0, { index: 0, locked: true });
      rooms.addObject(0, 0, 'key', locked.color);
      rooms.addDistractors(distractors);
      rooms.placeAgent(0, 0);
      return new Pickup(described(wanted));
    },
  });
}

export function blockedUnlockPickup(): Level {
  return babyaiLevel({
    ...PAIR,
    maxSteps: 16 * PAIR.roomSize ** 2,
    mission(rooms) {
      const { world } = rooms;
      rooms.addObject(1, 0, 'box');
      const locked = rooms.addDoor(0, 0, { index: 0, locked: true });
      world.put(ball(world.color()), locked.x - 1, locked.y);
      rooms.addObject(0, 0, 'key', locked.color);
      rooms.placeAgent(0, 0);
      return new Pickup(new Description('box'));
    },
  });
}

export function unlockToUnlock(): Level {
  return babyaiLevel({
    roomSize: 6,
    rows: 1,
    columns: 3,
    maxSteps: 30 * 6 ** 2,
    mission(rooms) {
      const [left, right] = rooms.world.subset(COLOR_NAMES, 2);
      rooms.addDoor(0, 0, { index: 0, color: left, locked: true });
      rooms.addObject(2, 0, 'key', left);
      rooms.addDoor(1, 0, { index: 0, color: right, locked: true });
      rooms.addObject(1, 0, 'key', right);
      rooms.addObject(0, 0, 'ball');
      rooms.placeAgent(1, 0);
      return new Pickup(new Description('ball'));
    },
  });
}
