/** Boards in words, for people who do not see them. Rows and columns count from 1, at the upper left. */
import type { LAKE_ACTIONS, Lake } from '../lake/lake.js';
import { neighbors } from '../lake/maps.js';
import { BOX, BOX_ON_TARGET, isBox, isFree, type Room, TARGET, WALL } from '../sokoban/room.js';

/** `row 3, column 4` */
const place = (cell: number, columns: number) =>
  `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`;

/** `[2, 3, 4, 6]` → `2 to 4 and 6` */
function ranges(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let from = 0; from < numbers.length; ) {
    let to = from;
    while (numbers[to + 1] === numbers[to]! + 1) to += 1;
    parts.push(to === from ? `${numbers[from]}` : `${numbers[from]} ${to === from + 1 ? 'and' : 'to'} ${numbers[to]}`);
    from = to + 1;
  }
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** `row 2, columns 2 to 4; row 3, column 2`, or `none` */
function places(cells: readonly number[], columns: number): string {
  const rows = new Map<number, number[]>();
  for (const cell of cells) {
    const row = Math.floor(cell / columns) + 1;
    rows.set(row, [...(rows.get(row) ?? []), (cell % columns) + 1]);
  }
  const parts = Array.from(rows, ([row, at]) => `row ${row}, column${at.length === 1 ? '' : 's'} ${ranges(at)}`);
  return parts.join('; ') || 'none';
}

export function roomWords({ columns, fixed, state }: Room, player: number): string {
  const cells = Array.from(state.keys());
  const listed = (matches: (cell: number) => boolean) => places(cells.filter(matches), columns);
  const isOnTarget = fixed[player] === TARGET;
  return [
    `You are in ${place(player, columns)}${isOnTarget ? ', on a target' : ''}.`,
    `Boxes: ${listed((cell) => state[cell] === BOX)}.`,
    `Boxes on targets: ${listed((cell) => state[cell] === BOX_ON_TARGET)}.`,
    `Targets without a box: ${listed((cell) => fixed[cell] === TARGET && state[cell] !== BOX_ON_TARGET)}.`,
    `Cells that are no wall: ${listed((cell) => fixed[cell] !== WALL)}.`,
  ].join(' ');
}

export function lakeWords({ cells, columns, position }: Pick<Lake, 'cells' | 'columns' | 'position'>): string {
  const listed = (letter: string) =>
    places(
      Array.from(cells, (_, cell) => cell).filter((cell) => cells[cell] === letter),
      columns,
    );
  return (
    `The lake has ${cells.length / columns} rows and ${columns} columns. You are in ${place(position, columns)}. ` +
    `Goal: ${listed('G')}. Holes: ${listed('H')}.`
  );
}

/**
 * The reason why a step of Sokoban would change nothing; `undefined` if it would.
 *
 * @param shift  Cells from the player to the next one.
 * @param pushes  A box in the way is pushed.
 */
export function sokobanRefusal({ state }: Room, player: number, shift: number, pushes: boolean): string | undefined {
  const [next, behind] = [state[player + shift], state[player + 2 * shift]];
  if (isFree(next)) return undefined;
  if (!isBox(next)) return 'A wall is in the way.';
  if (!pushes) return 'A box is in the way, and "move" does not push.';
  if (isFree(behind)) return undefined;
  return isBox(behind) ? 'Two boxes in a row cannot be pushed.' : 'The box cannot move: a wall is behind it.';
}

/** The reason why a step on ice that is not slippery would change nothing; `undefined` if it would. */
export function lakeRefusal(
  { cells, columns, position }: Pick<Lake, 'cells' | 'columns' | 'position'>,
  direction: (typeof LAKE_ACTIONS)[number],
): string | undefined {
  const shift = { left: -1, down: columns, right: 1, up: -columns }[direction];
  const isInside = neighbors(position, columns, cells.length).includes(position + shift);
  return isInside ? undefined : 'The lake ends there.';
}

export const lakeEnd = (letter: string): string | undefined =>
  letter === 'G' ? 'You are at the goal.' : letter === 'H' ? 'You fell into a hole.' : undefined;

export const sokobanEnd = (isSolved: boolean): string | undefined =>
  isSolved ? 'Every box is on a target.' : undefined;
