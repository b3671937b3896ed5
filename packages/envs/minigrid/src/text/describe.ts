/**
 * The view in words: the sentences of BabyAI-Text. Rules follow BartekCupial/Minigrid at cf73dd14,
 * `minigrid/minigrid_env.py`, method `gen_graph`; `test/golden/balrog-babyai.json.gz` pins them.
 */
import { COLORS, DOOR, DOOR_STATES, EMPTY, THING_TYPES, WALL } from '../world/constants.js';

const steps = (count: number): string => `${count} step${count > 1 ? 's' : ''}`;

/**
 * @param image  A symbolic view: three bytes for each cell, column by column.
 * @param size   Cells of its side.
 * @returns One sentence each: what is carried, walls straight ahead, left and right, and objects, column by column.
 */
export function describeView(image: Uint8Array, size: number): string[] {
  const [column, row] = [(size - 1) / 2, size - 1];
  const typeAt = (x: number, y: number) => image[3 * (x * size + y)]!;
  const nameAt = (x: number, y: number) => {
    const at = 3 * (x * size + y);
    const state = image[at] === DOOR ? `${DOOR_STATES[image[at + 2]!]} ` : '';
    return `a ${state}${COLORS[image[at + 1]!]} ${THING_TYPES[image[at]!]}`;
  };
  const lines: string[] = [];
  if (typeAt(column, row) > EMPTY) lines.push(`You carry ${nameAt(column, row)}`);

  const wall = (dx: number, dy: number, where: string) => {
    for (let count = 1; ; count += 1) {
      const [x, y] = [column + dx * count, row + dy * count];
      if (x < 0 || y < 0 || x >= size) return;
      const type = typeAt(x, y);
      if (type > EMPTY) {
        if (type === WALL) lines.push(`You see a wall ${steps(count)} ${where}`);
        return;
      }
    }
  };
  wall(0, -1, 'forward');
  wall(-1, 0, 'left');
  wall(1, 0, 'right');

  for (let x = 0; x < size; x += 1) {
    for (let y = 0; y < size; y += 1) {
      if (typeAt(x, y) <= WALL || (x === column && y === row)) continue;
      const aside = x === column ? [] : [`${steps(Math.abs(x - column))} ${x > column ? 'right' : 'left'}`];
      const ahead = y === row ? [] : [`${steps(row - y)} forward`];
      lines.push(`You see ${nameAt(x, y)} ${[...aside, ...ahead].join(' and ')}`);
    }
  }
  return lines;
}
