/** Two strips of lava; the second moves between versions: Farama-Foundation/Minigrid, `minigrid/envs/distshift.py`. */
import type { Level } from '../../world/task.js';
import { goal, lava } from '../../world/thing.js';
import { reach, TO_GREEN_GOAL } from '../goals.js';

const WIDTH = 9;
const HEIGHT = 7;

export function distShift(secondRow: number): Level {
  return {
    width: WIDTH,
    height: HEIGHT,
    maxSteps: 4 * WIDTH * HEIGHT,
    seeThroughWalls: true,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      world.put(goal(), WIDTH - 2, 1);
      grid.horizontal(3, 1, WIDTH - 6, lava);
      grid.horizontal(3, secondRow, WIDTH - 6, lava);
      world.putAgent(1, 1, 0);
      return { mission: TO_GREEN_GOAL, goal: reach(WIDTH - 2, 1) };
    },
  };
}
