/** Pick up the right object: Farama-Foundation/Minigrid, `minigrid/envs/fetch.py`. */
import type { Level } from '../../world/task.js';
import { Thing } from '../../world/thing.js';

const WORDINGS = ['get a', 'go get a', 'fetch a', 'go fetch a', 'you must fetch a'];

export function fetch(size: number, count: number): Level {
  return {
    width: size,
    height: size,
    maxSteps: 5 * size ** 2,
    seeThroughWalls: true,
    generate(world) {
      world.newGrid().border();
      const things = Array.from({ length: count }, () => {
        const kind = world.element(['key', 'ball'] as const);
        const thing = new Thing(kind, world.color());
        world.place(thing);
        return thing;
      });
      world.placeAgent();
      const { color, type } = world.element(things);
      const isTarget = (thing: Thing) => thing.color === color && thing.type === type;
      const targets = things.filter(isTarget);
      return {
        mission: `${WORDINGS[world.integer(0, WORDINGS.length)]} ${color} ${type}`,
        goal: () => ({ kind: 'pickup', things: targets }),
        step(action, act) {
          const outcome = act(action);
          const { carrying } = world;
          if (!carrying) return outcome;
          return isTarget(carrying) ? world.succeed(outcome) : world.fail(outcome);
        },
      };
    },
  };
}
