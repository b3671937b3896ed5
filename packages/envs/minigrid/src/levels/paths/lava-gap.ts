/** A strip of lava with a gap: Farama-Foundation/Minigrid, `minigrid/envs/lavagap.py`. */
import type { Level } from '../../world/task.js';
import { goal, lava } from '../../world/thing.js';
import { AVOID_LAVA, reach } from '../goals.js';

export function lavaGap(size: number): Level {
  return {
    width: size,
    height: size,
    maxSteps: 4 * size ** 2,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      world.putAgent(1, 1, 0);
      world.put(goal(), size - 2, size - 2);
      const [x, y] = [world.integer(2, size - 2), world.integer(1, size - 1)];
      grid.vertical(x, 1, size - 2, lava);
      grid.set(x, y, undefined);
      return { mission: AVOID_LAVA, goal: reach(size - 2, size - 2) };
    },
  };
}
