/** Stop beside an object: Farama-Foundation/Minigrid, `minigrid/envs/gotoobject.py`. */
import type { Level } from '../../world/task.js';
import { stopAt } from '../goals.js';
import { placeDifferent } from './place-different.js';
import { stopBeside } from './stop-beside.js';

export function goToObject(size: number, count = 2): Level {
  return {
    width: size,
    height: size,
    maxSteps: 5 * size ** 2,
    seeThroughWalls: true,
    generate(world) {
      world.newGrid().border();
      const things = placeDifferent(world, count);
      world.placeAgent();
      const { color, type, x, y } = world.element(things);
      return { mission: `go to the ${color} ${type}`, goal: stopAt(x, y), step: stopBeside(world, x, y) };
    },
  };
}
