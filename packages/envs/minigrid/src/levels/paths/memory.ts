/** Go to the object that was seen at the start: Farama-Foundation/Minigrid, `minigrid/envs/memory.py`. */
import { PICKUP, TOGGLE } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { Thing, wall } from '../../world/thing.js';
import { reach } from '../goals.js';

const PAIRS = [
  ['ball', 'key'],
  ['key', 'ball'],
] as const;

export function memory(size: number, { randomLength = false }: { readonly randomLength?: boolean } = {}): Level {
  return {
    width: size,
    height: size,
    maxSteps: 5 * size ** 2,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      const middle = Math.floor(size / 2);
      const end = randomLength ? world.integer(4, size - 2) : size - 3;
      for (let x = 1; x < 5; x += 1) {
        grid.set(x, middle - 2, wall());
        grid.set(x, middle + 2, wall());
      }
      for (let x = 4; x < Math.max(5, end); x += 1) {
        grid.set(x, middle - 1, wall());
        grid.set(x, middle + 1, wall());
      }
      for (let y = 0; y < size; y += 1) {
        if (y !== middle) grid.set(end, y, wall());
        grid.set(end + 2, y, wall());
      }
      world.putAgent(world.integer(1, end + 1), middle, 0);

      const shown = world.element(['key', 'ball'] as const);
      world.put(new Thing(shown, 'green'), 1, middle - 1);
      const [above, below] = world.element(PAIRS);
      world.put(new Thing(above, 'green'), end + 1, middle - 2);
      world.put(new Thing(below, 'green'), end + 1, middle + 2);
      const [right, wrong] = shown === above ? [middle - 1, middle + 1] : [middle + 1, middle - 1];
      return {
        mission: 'go to the matching object at the end of the hallway',
        goal: reach(end + 1, right),
        step(action, act) {
          const outcome = act(action === PICKUP ? TOGGLE : action);
          if (world.agentX !== end + 1) return outcome;
          if (world.agentY === right) return world.succeed(outcome);
          return world.agentY === wrong ? world.fail(outcome) : outcome;
        },
      };
    },
  };
}
