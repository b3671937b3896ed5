/** A lake in letters, as VAGEN writes it, and where things are. */
import type { Offset } from '../sokoban/board.js';
import type { Lake } from './lake.js';

const LETTERS = ['P', '_', 'O', 'G', 'X', 'V', '_'];
const NUMBERS: Readonly<Record<string, number>> = { F: 1, H: 2, G: 3, S: 1 };

/** Player 0, frozen 1, hole 2, goal 3, player in a hole 4, player on the goal 5. */
export function lakeCells({ cells, position }: Pick<Lake, 'cells' | 'position'>): Uint8Array {
  const shown = Uint8Array.from(cells, (letter) => NUMBERS[letter]!);
  const letter = cells[position];
  shown[position] = letter === 'H' ? 4 : letter === 'G' ? 5 : 0;
  return shown;
}

/** Player P, frozen _, hole O, goal G, player in a hole X, player on the goal V; one blank around each. */
export function lakeBoard(lake: Pick<Lake, 'cells' | 'position' | 'columns'>): string {
  const letters = Array.from(lakeCells(lake), (cell) => ` ${LETTERS[cell]} `);
  return Array.from({ length: letters.length / lake.columns }, (_, row) =>
    letters.slice(row * lake.columns, (row + 1) * lake.columns).join(''),
  ).join('\n');
}

/** Goals and holes relative to the player. */
export function lakeOffsets({
  cells,
  columns,
  position,
}: Pick<Lake, 'cells' | 'columns' | 'position'>): Readonly<Record<'goal' | 'hole', readonly Offset[]>> {
  const offsets = (letter: string) =>
    Array.from(
      cells.matchAll(new RegExp(letter, 'g')),
      ({ index }): Offset => [
        Math.floor(index / columns) - Math.floor(position / columns),
        (index % columns) - (position % columns),
      ],
    );
  return { goal: offsets('G'), hole: offsets('H') };
}
