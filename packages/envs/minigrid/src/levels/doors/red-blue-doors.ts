/** Open the red door, then the blue one: Farama-Foundation/Minigrid, `minigrid/envs/redbluedoors.py`. */
import type { Level } from '../../world/task.js';
import { door } from '../../world/thing.js';

export function redBlueDoors(size: number): Level {
  const half = Math.floor(size / 2);
  return {
    width: 2 * size,
    height: size,
    maxSteps: 20 * size ** 2,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      grid.border(half, 0, size, size);
      world.placeAgent({ top: [half, 0], size: [size, size] });
      const red = world.put(door('red'), half, world.integer(1, size - 1));
      const blue = world.put(door('blue'), half + size - 1, world.integer(1, size - 1));
      return {
        mission: 'open the red door then the blue door',
        goal: () => ({ kind: 'open', doors: [red.isOpen ? blue : red] }),
        step(action, act) {
          const [redBefore, blueBefore] = [red.isOpen, blue.isOpen];
          const outcome = act(action);
          if (blue.isOpen) return redBefore ? world.succeed(outcome) : world.fail(outcome);
          return red.isOpen && blueBefore ? world.fail(outcome) : outcome;
        },
      };
    },
  };
}
