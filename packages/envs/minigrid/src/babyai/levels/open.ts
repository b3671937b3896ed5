/** Open doors: Farama-Foundation/Minigrid, `minigrid/envs/babyai/open.py`. */
import { COLOR_NAMES, type Color } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { Description, LOCATIONS } from '../description.js';
import { After, Before, Open } from '../instructions.js';
import { babyaiLevel, checkReachable } from '../level.js';
import { described } from './go-to.js';

/** Cells of a side of the rooms with a fixed limit of steps. */
const SMALL_ROOM = 6;
const SMALL_LIMIT = 20 * SMALL_ROOM ** 2;

export function open(): Level {
  return babyaiLevel({
    mission(rooms) {
      rooms.placeAgent();
      rooms.connectAll();
      rooms.addDistractors(18, { allUnique: false });
      checkReachable(rooms);
      const columns = Array.from({ length: rooms.columns }, (_, i) => i);
      const doors = columns.flatMap((i) =>
        rooms.rooms.flatMap((row) => row[i]!.doors.flatMap((door) => (door && door !== true ? [door] : []))),
      );
      return new Open(described(rooms.world.element(doors)));
    },
  });
}

export function openRedDoor(): Level {
  return babyaiLevel({
    roomSize: 5,
    rows: 1,
    columns: 2,
    mission(rooms) {
      rooms.addDoor(0, 0, { index: 0, color: 'red', locked: false });
      rooms.placeAgent(0, 0);
      return new Open(new Description('door', 'red'));
    },
  });
}

/** @param strict  Another door fails. */
export function openDoor({ by, strict }: { readonly by?: 'color' | 'loc'; readonly strict?: boolean } = {}): Level {
  return babyaiLevel({
    mission(rooms) {
      const { world } = rooms;
      const doors = world
        .subset(COLOR_NAMES, 4)
        .map((color, index) => rooms.addDoor(1, 1, { index, color, locked: false }));
      const chosen = by ?? world.element(['color', 'loc'] as const);
      const description =
        chosen === 'color' ? described(doors[0]!) : new Description('door', undefined, world.element(LOCATIONS));
      rooms.placeAgent(1, 1);
      return new Open(description, strict);
    },
  });
}

interface TwoDoors {
  readonly first?: Color;
  readonly second?: Color;
  readonly strict?: boolean;
}

export function openTwoDoors({ first, second, strict }: TwoDoors = {}): Level {
  return babyaiLevel({
    roomSize: SMALL_ROOM,
    maxSteps: SMALL_LIMIT,
    mission(rooms) {
      const [firstDrawn, secondDrawn] = rooms.world.subset(COLOR_NAMES, 2);
      const earlier = rooms.addDoor(1, 1, { index: 2, color: first ?? firstDrawn, locked: false });
      const later = rooms.addDoor(1, 1, { index: 0, color: second ?? secondDrawn, locked: false });
      rooms.placeAgent(1, 1);
      return new Before(new Open(described(earlier), strict), new Open(described(later)));
    },
  });
}

export function openDoorsInOrder(count: number, { strict }: { readonly strict?: boolean } = {}): Level {
  return babyaiLevel({
    roomSize: SMALL_ROOM,
    maxSteps: SMALL_LIMIT,
    mission(rooms) {
      const { world } = rooms;
      const doors = world.subset(COLOR_NAMES, count).map((color) => rooms.addDoor(1, 1, { color, locked: false }));
      rooms.placeAgent(1, 1);
      const [first, second] = world.subset(doors, 2).map((door) => new Open(described(door), strict)) as [Open, Open];
      const mode = world.integer(0, 3);
      return mode === 0 ? first : mode === 1 ? new Before(first, second) : new After(first, second);
    },
  });
}
