/** The best action on slippery ice: value iteration over the map, to the largest chance of reaching the goal. */
import type { Lake } from './lake.js';
import { neighbors } from './maps.js';

const SWEEPS = 2000;
const PRECISION = 1e-10;

/** @returns For each cell the action with the largest probability of success; waiting at the edge costs nothing. */
export function bestActions({ cells, columns, rules }: Pick<Lake, 'cells' | 'columns' | 'rules'>): Uint8Array {
  const count = cells.length;
  const values = Float64Array.from(cells, (letter) => (letter === 'G' ? 1 : 0));
  const best = new Uint8Array(count);
  const next = (cell: number, action: number) => {
    const to = cell + [-1, columns, 1, -columns][action]!;
    return neighbors(cell, columns, count).includes(to) ? to : cell;
  };
  const moves = Array.from({ length: count }, (_, cell) => [0, 1, 2, 3].map((action) => next(cell, action)));
  const beside = (1 - rules.successRate) / 2;
  const worth = (cell: number, action: number) =>
    beside * values[moves[cell]![(action + 3) % 4]!]! +
    rules.successRate * values[moves[cell]![action]!]! +
    beside * values[moves[cell]![(action + 1) % 4]!]!;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    let change = 0;
    for (let cell = 0; cell < count; cell += 1) {
      if (cells[cell] === 'G' || cells[cell] === 'H') continue;
      const worths = [0, 1, 2, 3].map((action) => worth(cell, action));
      const value = Math.max(...worths);
      best[cell] = worths.indexOf(value);
      change = Math.max(change, Math.abs(value - values[cell]!));
      values[cell] = value;
    }
    if (change < PRECISION) break;
  }
  return best;
}
