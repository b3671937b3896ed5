/** An empty room with a goal in the corner: Farama-Foundation/Minigrid, `minigrid/envs/empty.py`. */
import type { Level } from '../../world/task.js';
import { goal } from '../../world/thing.js';
import { reach, TO_GREEN_GOAL } from '../goals.js';

export function empty(size = 8, { randomStart = false }: { readonly randomStart?: boolean } = {}): Level {
  return {
    width: size,
    height: size,
    maxSteps: 4 * size ** 2,
    seeThroughWalls: true,
    generate(world) {
      world.newGrid().border();
      world.put(goal(), size - 2, size - 2);
      if (randomStart) world.placeAgent();
      else world.putAgent(1, 1, 0);
      return { mission: TO_GREEN_GOAL, goal: reach(size - 2, size - 2) };
    },
  };
}
