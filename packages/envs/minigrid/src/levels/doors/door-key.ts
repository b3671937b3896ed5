/** A locked door between the agent and the goal: Farama-Foundation/Minigrid, `minigrid/envs/doorkey.py`. */
import type { Level } from '../../world/task.js';
import { door, goal, key } from '../../world/thing.js';
import { reach } from '../goals.js';

export function doorKey(size: number): Level {
  return {
    width: size,
    height: size,
    maxSteps: 10 * size ** 2,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      world.put(goal(), size - 2, size - 2);
      const split = world.integer(2, size - 2);
      grid.vertical(split, 0);
      world.placeAgent({ size: [split, size] });
      world.put(door('yellow', true), split, world.integer(1, size - 2));
      world.place(key('yellow'), { size: [split, size] });
      return { mission: 'use the key to open the door and then get to the goal', goal: reach(size - 2, size - 2) };
    },
  };
}
