/** A room in letters, as VAGEN writes it, and where things are. */
import { BOX, BOX_ON_TARGET, type Room, shownAt, TARGET } from './room.js';

const LETTERS = ['#', '_', 'O', '√', 'X', 'P', 'S'];

/** Wall #, floor _, target O, box on target √, box X, player P, player on target S; one blank around each. */
export function boardOf(room: Room): string {
  return Array.from({ length: room.rows }, (_, row) =>
    Array.from(
      { length: room.columns },
      (_, column) => ` ${LETTERS[shownAt(room, row * room.columns + column)]} `,
    ).join(''),
  ).join('\n');
}

export const cellsShown = (room: Room): Uint8Array => room.state.map((_, cell) => shownAt(room, cell));

export type Offset = readonly [down: number, right: number];

/** Boxes that are not on a target, and targets without a box, relative to the player. */
export function offsetsOf(room: Room, player: number): Readonly<Record<'box' | 'target', readonly Offset[]>> {
  const { columns, fixed, state } = room;
  const offset = (cell: number): Offset => [
    Math.floor(cell / columns) - Math.floor(player / columns),
    (cell % columns) - (player % columns),
  ];
  const cells = Array.from(state.keys());
  const boxes = cells.filter((cell) => state[cell] === BOX);
  const targets = cells.filter((cell) => fixed[cell] === TARGET && state[cell] !== BOX_ON_TARGET);
  return { box: boxes.map(offset), target: targets.map(offset) };
}
