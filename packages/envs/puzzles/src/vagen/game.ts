/** The part of a game that VAGEN's turns need. */
import type { Offset } from '../sokoban/board.js';

export interface VagenGame {
  /** One of the words `up`, `down`, `left`, `right`. */
  play(word: VagenWord): void;
  readonly isSolved: boolean;
  /** Solved or lost. */
  readonly isOver: boolean;
  /** The player's cell. */
  readonly player: number;
  readonly columns: number;
  readonly board: string;
  /** The board for people who do not see it, and the reason for the end. */
  readonly words: string;
  readonly ending: string | undefined;
  /** Numbers of cells as pictures show them. */
  readonly shown: Uint8Array;
  /** Things relative to the player, by their name. */
  readonly offsets: Readonly<Record<string, readonly Offset[]>>;
  /** The next words of a shortest solution. */
  solution(): readonly VagenWord[] | undefined;
}

export const VAGEN_WORDS = ['left', 'down', 'right', 'up'] as const;
export type VagenWord = (typeof VAGEN_WORDS)[number];
