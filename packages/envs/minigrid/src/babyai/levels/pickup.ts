/** Pick up an object: Farama-Foundation/Minigrid, `minigrid/envs/babyai/pickup.py`. */
import { GenerationError } from '../../world/generation-error.js';
import type { Level } from '../../world/task.js';
import { type DescribedType, Description } from '../description.js';
import { generatedLevel } from '../generated-level.js';
import { Pickup } from '../instructions.js';
import { areReachable, babyaiLevel, checkReachable } from '../level.js';
import { described } from './go-to.js';

export function pickup(): Level {
  return babyaiLevel({
    mission(rooms) {
      rooms.placeAgent();
      rooms.connectAll();
      const things = rooms.addDistractors(18, { allUnique: false });
      checkReachable(rooms);
      return new Pickup(described(rooms.world.element(things)));
    },
  });
}

/** Something stands in the way. */
export function unblockPickup(): Level {
  return babyaiLevel({
    mission(rooms) {
      rooms.placeAgent();
      rooms.connectAll();
      const things = rooms.addDistractors(20, { allUnique: false });
      if (areReachable(rooms)) throw new GenerationError('nothing is in the way');
      return new Pickup(described(rooms.world.element(things)));
    },
  });
}

export function pickupByLocation(): Level {
  return generatedLevel({
    actions: ['pickup'],
    instructions: ['action'],
    rows: 1,
    columns: 1,
    distractors: 8,
    lockedRoomProbability: 0,
    unblocking: false,
  });
}

/** @param strict  Another object fails. */
export function pickupAmongOthers({ strict }: { readonly strict?: boolean } = {}): Level {
  return babyaiLevel({
    roomSize: 7,
    rows: 1,
    columns: 1,
    mission(rooms) {
      const things = rooms.addDistractors(5);
      rooms.placeAgent(0, 0);
      const { type, color } = rooms.world.element(things);
      const by = rooms.world.element(['type', 'color', 'both'] as const);
      // a color alone may mean the walls, too
      const description = new Description(
        by === 'color' ? undefined : (type as DescribedType),
        by === 'type' ? undefined : color,
      );
      return new Pickup(description, strict);
    },
  });
}

export function pickupAbove(): Level {
  return babyaiLevel({
    roomSize: 6,
    maxSteps: 8 * 6 ** 2,
    mission(rooms) {
      const wanted = rooms.addObject(1, 0);
      rooms.addDoor(1, 1, { index: 3, locked: false });
      rooms.placeAgent(1, 1);
      rooms.connectAll();
      return new Pickup(described(wanted));
    },
  });
}
