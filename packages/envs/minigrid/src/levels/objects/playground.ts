/** Nine rooms and twelve objects without a mission: Farama-Foundation/Minigrid, `minigrid/envs/playground.py`. */
import { COLOR_NAMES, KINDS } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { door, Thing } from '../../world/thing.js';

const SIZE = 19;
const ROOM = 6;
const OBJECTS = 12;

export function playground(): Level {
  return {
    width: SIZE,
    height: SIZE,
    maxSteps: 100,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      for (let j = 0; j < 3; j += 1) {
        for (let i = 0; i < 3; i += 1) {
          const [left, top, right, bottom] = [i * ROOM, j * ROOM, (i + 1) * ROOM, (j + 1) * ROOM];
          if (i < 2) {
            grid.vertical(right, top, ROOM);
            const y = world.integer(top + 1, bottom - 1);
            world.put(door(world.element(COLOR_NAMES)), right, y);
          }
          if (j < 2) {
            grid.horizontal(left, bottom, ROOM);
            const x = world.integer(left + 1, right - 1);
            world.put(door(world.element(COLOR_NAMES)), x, bottom);
          }
        }
      }
      world.placeAgent();
      for (let count = 0; count < OBJECTS; count += 1) {
        const kind = world.element(KINDS);
        world.place(new Thing(kind, world.element(COLOR_NAMES)));
      }
      return { mission: '', goal: () => undefined };
    },
  };
}
