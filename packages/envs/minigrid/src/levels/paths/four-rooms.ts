/** Four rooms with gaps in the walls: Farama-Foundation/Minigrid, `minigrid/envs/fourrooms.py`. */
import type { Level } from '../../world/task.js';
import { goal } from '../../world/thing.js';
import { reach } from '../goals.js';

const SIZE = 19;
const ROOM = 9;

export function fourRooms(): Level {
  return {
    width: SIZE,
    height: SIZE,
    maxSteps: 100,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      for (let j = 0; j < 2; j += 1) {
        for (let i = 0; i < 2; i += 1) {
          const [left, top, right, bottom] = [i * ROOM, j * ROOM, (i + 1) * ROOM, (j + 1) * ROOM];
          if (i === 0) {
            grid.vertical(right, top, ROOM);
            grid.set(right, world.integer(top + 1, bottom), undefined);
          }
          if (j === 0) {
            grid.horizontal(left, bottom, ROOM);
            grid.set(world.integer(left + 1, right), bottom, undefined);
          }
        }
      }
      world.placeAgent();
      const [x, y] = world.place(goal());
      return { mission: 'reach the goal', goal: reach(x, y) };
    },
  };
}
