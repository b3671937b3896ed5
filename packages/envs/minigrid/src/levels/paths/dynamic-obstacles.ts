/** Balls that move at random: Farama-Foundation/Minigrid, `minigrid/envs/dynamicobstacles.py`. Each step draws from the generator. */
import { FORWARD, LEFT } from '../../world/constants.js';
import { GenerationError } from '../../world/generation-error.js';
import type { Level } from '../../world/task.js';
import { ball, goal, type Thing } from '../../world/thing.js';
import type { World } from '../../world/world.js';
import { reach, TO_GREEN_GOAL } from '../goals.js';

const MAX_TRIES = 100;

export function dynamicObstacles(
  size: number,
  obstacleCount: number,
  { randomStart = false }: { readonly randomStart?: boolean } = {},
): Level {
  return {
    width: size,
    height: size,
    maxSteps: 4 * size ** 2,
    seeThroughWalls: true,
    actions: FORWARD + 1,
    generate(world) {
      world.newGrid().border();
      world.put(goal(), size - 2, size - 2);
      if (randomStart) world.placeAgent();
      else world.putAgent(1, 1, 0);
      const obstacles = Array.from({ length: obstacleCount }, () => {
        const obstacle = ball();
        world.place(obstacle, { maxTries: MAX_TRIES });
        return obstacle;
      });
      return {
        mission: TO_GREEN_GOAL,
        goal: reach(size - 2, size - 2),
        step(action, act) {
          // what counts is what was ahead before the balls moved
          const ahead = world.grid.get(world.frontX, world.frontY);
          for (const obstacle of obstacles) move(world, obstacle);
          const outcome = act(action > FORWARD ? LEFT : action);
          if (action !== FORWARD || ahead === undefined || ahead.type === 'goal') return outcome;
          return { reward: -1, terminated: true, truncated: outcome.truncated };
        },
      };
    },
  };
}

/** To a free cell around it; it stays if none is found. */
function move(world: World, obstacle: Thing): void {
  const { x, y } = obstacle;
  try {
    world.place(obstacle, { top: [x - 1, y - 1], size: [3, 3], maxTries: MAX_TRIES });
    world.grid.set(x, y, undefined);
  } catch (reason) {
    if (!(reason instanceof GenerationError)) throw reason;
  }
}
