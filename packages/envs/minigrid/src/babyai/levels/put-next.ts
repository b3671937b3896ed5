/** Put an object next to another: Farama-Foundation/Minigrid, `minigrid/envs/babyai/putnext.py` and `other.py`. */
import type { Level } from '../../world/task.js';
import type { Thing } from '../../world/thing.js';
import { Before, PutNext } from '../instructions.js';
import { babyaiLevel, checkReachable } from '../level.js';
import { described } from './go-to.js';

const putNextTo = (moved: Thing, fixed: Thing) => new PutNext(described(moved), described(fixed));

export function putNextLocal(roomSize = 8, count = 8): Level {
  return babyaiLevel({
    roomSize,
    rows: 1,
    columns: 1,
    mission(rooms) {
      rooms.placeAgent();
      const things = rooms.addDistractors(count);
      checkReachable(rooms);
      const [moved, fixed] = rooms.world.subset(things, 2);
      return putNextTo(moved!, fixed!);
    },
  });
}

/** @param isCarrying  The agent carries the object from the start; the first observation is older. */
export function putNext(roomSize: number, perRoom: number, { isCarrying = false } = {}): Level {
  let wanted: Thing;
  return babyaiLevel({
    roomSize,
    rows: 1,
    columns: 2,
    maxSteps: 8 * roomSize ** 2,
    mission(rooms) {
      const { world } = rooms;
      rooms.placeAgent(0, 0);
      const left = rooms.addDistractors(perRoom, { i: 0, j: 0 });
      const right = rooms.addDistractors(perRoom, { i: 1, j: 0 });
      rooms.removeWall(0, 0, 0);
      let [moved, fixed] = [world.element(left), world.element(right)];
      if (world.boolean()) [moved, fixed] = [fixed, moved];
      wanted = moved;
      return putNextTo(moved, fixed);
    },
    ...(isCarrying && {
      begin(world) {
        world.grid.set(wanted.firstX, wanted.firstY, undefined);
        world.carrying = wanted;
      },
    }),
  });
}

export function moveTwoAcross(roomSize: number, perRoom: number): Level {
  return babyaiLevel({
    roomSize,
    rows: 1,
    columns: 2,
    maxSteps: 16 * roomSize ** 2,
    mission(rooms) {
      const { world } = rooms;
      rooms.placeAgent(0, 0);
      const left = rooms.addDistractors(perRoom, { i: 0, j: 0 });
      const right = rooms.addDistractors(perRoom, { i: 1, j: 0 });
      rooms.removeWall(0, 0, 0);
      const [a, d] = world.subset(left, 2) as [Thing, Thing];
      const [b, c] = world.subset(right, 2) as [Thing, Thing];
      return new Before(putNextTo(a, b), putNextTo(c, d));
    },
  });
}
