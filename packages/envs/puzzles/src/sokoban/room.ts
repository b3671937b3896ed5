/** A room of Sokoban as cells, row by row; the numbers are those of mpSchrader/gym-sokoban. */
export const WALL = 0;
export const FLOOR = 1;
export const TARGET = 2;
export const BOX_ON_TARGET = 3;
export const BOX = 4;
export const PLAYER = 5;
/** Only in pictures and texts. */
const PLAYER_ON_TARGET = 6;

export interface Room {
  readonly rows: number;
  readonly columns: number;
  /** Walls, floor and targets. */
  readonly fixed: Uint8Array;
  /** The same with boxes and the player. */
  readonly state: Uint8Array;
}

export const isBox = (cell: number | undefined): boolean => cell === BOX || cell === BOX_ON_TARGET;
export const isFree = (cell: number | undefined): boolean => cell === FLOOR || cell === TARGET;

/** The content of a cell in pictures and texts. */
export const shownAt = ({ fixed, state }: Pick<Room, 'fixed' | 'state'>, cell: number): number =>
  state[cell] === PLAYER && fixed[cell] === TARGET ? PLAYER_ON_TARGET : state[cell]!;

/** The digits of all cells, as golden files and task keys write them. */
export const digits = (cells: Uint8Array): string => Array.from(cells).join('');
