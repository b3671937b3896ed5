/** Put one object beside another: Farama-Foundation/Minigrid, `minigrid/envs/putnear.py`. */
import { DROP, PICKUP } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { placeDifferent } from './place-different.js';

export function putNear(size: number, count: number): Level {
  return {
    width: size,
    height: size,
    maxSteps: 5 * size,
    seeThroughWalls: true,
    generate(world) {
      world.newGrid().border();
      const isNear = (x: number, y: number, other: { readonly x: number; readonly y: number }) =>
        Math.abs(x - other.x) <= 1 && Math.abs(y - other.y) <= 1;
      const things = placeDifferent(world, count, (x, y, placed) => placed.some((other) => isNear(x, y, other)));
      world.placeAgent();
      const moved = world.element(things);
      let target = world.element(things);
      while (target === moved) target = world.element(things);
      const place = { x: target.x, y: target.y };
      return {
        mission: `put the ${moved.color} ${moved.type} near the ${target.color} ${target.type}`,
        goal: () => ({ kind: 'put', things: [moved], cells: () => [[place.x, place.y]], diagonal: true }),
        step(action, act) {
          const before = world.carrying;
          const outcome = act(action);
          const { carrying } = world;
          if (action === PICKUP && carrying && (carrying.type !== moved.type || carrying.color !== moved.color)) {
            return { ...outcome, terminated: true };
          }
          if (action !== DROP || !before) return outcome;
          const isThere = world.grid.get(world.frontX, world.frontY) === before;
          const isRight = isThere && isNear(world.frontX, world.frontY, place);
          return isRight ? world.succeed(outcome) : { ...outcome, terminated: true };
        },
      };
    },
  };
}
