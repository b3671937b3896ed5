/**
 * Rivers of lava, or walls, with one opening each: Farama-Foundation/Minigrid, `minigrid/envs/crossing.py`.
 */
import type { Level } from '../../world/task.js';
import { goal, lava, wall } from '../../world/thing.js';
import { AVOID_LAVA, FIND_OPENING, reach } from '../goals.js';

const ascending = (numbers: number[]) => numbers.sort((a, b) => a - b);

export function crossing(size: number, crossings: number, obstacle: 'lava' | 'wall' = 'lava'): Level {
  const make = obstacle === 'lava' ? lava : wall;
  return {
    width: size,
    height: size,
    maxSteps: 4 * size ** 2,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      world.putAgent(1, 1, 0);
      world.put(goal(), size - 2, size - 2);

      const places = Array.from({ length: Math.ceil((size - 4) / 2) }, (_, index) => 2 + 2 * index);
      const rivers = [true, false].flatMap((isVertical) => places.map((at) => ({ isVertical, at })));
      world.shuffle(rivers);
      const chosen = rivers.slice(0, crossings);
      const columns = ascending(chosen.filter(({ isVertical }) => isVertical).map(({ at }) => at));
      const rows = ascending(chosen.filter(({ isVertical }) => !isVertical).map(({ at }) => at));
      for (const y of rows) grid.horizontal(1, y, size - 2, make);
      for (const x of columns) grid.vertical(x, 1, size - 2, make);

      // a walk through the rooms between the rivers, with an opening at each river
      const path = [...columns.map(() => 'right'), ...rows.map(() => 'down')];
      world.shuffle(path);
      const [limitsX, limitsY] = [
        [0, ...columns, size - 1],
        [0, ...rows, size - 1],
      ];
      let [column, row] = [0, 0];
      const between = (limits: readonly number[], room: number) => {
        const first = limits[room]! + 1;
        return first + world.integer(0, limits[room + 1]! - first);
      };
      for (const direction of path) {
        if (direction === 'right') {
          grid.set(limitsX[column + 1]!, between(limitsY, row), undefined);
          column += 1;
        } else {
          grid.set(between(limitsX, column), limitsY[row + 1]!, undefined);
          row += 1;
        }
      }
      return { mission: obstacle === 'lava' ? AVOID_LAVA : FIND_OPENING, goal: reach(size - 2, size - 2) };
    },
  };
}
