/** The world in letters, two for each cell: Farama-Foundation/Minigrid, `minigrid/minigrid_env.py`, method `pprint_grid`. */
import type { ThingType } from '../world/constants.js';
import type { Thing } from '../world/thing.js';
import type { World } from '../world/world.js';

const LETTERS: Readonly<Record<Exclude<ThingType, 'door'>, string>> = {
  wall: 'W',
  floor: 'F',
  key: 'K',
  ball: 'A',
  box: 'B',
  goal: 'G',
  lava: 'V',
};
const AGENT = ['>>', 'VV', '<<', '^^'];

/** An object is the letter of its kind and of its color; a door `__` open, `D` closed, `L` locked; the agent an arrow. */
export function gridLetters({ grid, agentX, agentY, direction }: World): string {
  const rows = Array.from({ length: grid.height }, (_, y) =>
    Array.from({ length: grid.width }, (_, x) =>
      x === agentX && y === agentY ? AGENT[direction] : letters(grid.get(x, y)),
    ).join(''),
  );
  return rows.join('\n');
}

function letters(thing: Thing | undefined): string {
  if (thing === undefined) return '  ';
  if (thing.type === 'door' && thing.isOpen) return '__';
  const kind = thing.type === 'door' ? (thing.isLocked ? 'L' : 'D') : LETTERS[thing.type];
  return `${kind}${thing.color.charAt(0).toUpperCase()}`;
}
