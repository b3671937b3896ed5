/** Stop beside the door of a color: Farama-Foundation/Minigrid, `minigrid/envs/gotodoor.py`. */
import { COLOR_NAMES, type Color } from '../../world/constants.js';
import type { Cell, Level } from '../../world/task.js';
import { door } from '../../world/thing.js';
import { stopAt } from '../goals.js';
import { stopBeside } from './stop-beside.js';

const SMALLEST = 5;

export function goToDoor(size: number): Level {
  return {
    width: size,
    height: size,
    maxSteps: 4 * size ** 2,
    seeThroughWalls: true,
    generate(world) {
      const grid = world.newGrid();
      const [width, height] = [world.integer(SMALLEST, size + 1), world.integer(SMALLEST, size + 1)];
      grid.border(0, 0, width, height);
      const cells: readonly Cell[] = [
        [world.integer(2, width - 2), 0],
        [world.integer(2, width - 2), height - 1],
        [0, world.integer(2, height - 2)],
        [width - 1, world.integer(2, height - 2)],
      ];
      const colors: Color[] = [];
      while (colors.length < cells.length) {
        const color = world.element(COLOR_NAMES);
        if (!colors.includes(color)) colors.push(color);
      }
      for (const [index, [x, y]] of cells.entries()) world.put(door(colors[index]!), x, y);
      world.placeAgent({ size: [width, height] });
      const chosen = world.integer(0, cells.length);
      const [x, y] = cells[chosen]!;
      return { mission: `go to the ${colors[chosen]} door`, goal: stopAt(x, y), step: stopBeside(world, x, y) };
    },
  };
}
