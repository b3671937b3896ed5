/**
 * The `info` and observations of the games. Keys are those of the published code, which dialogues and environments
 * share.
 */
import type { RgbImage } from '@vlgym/core';
import type { FormulaEntry } from '../formula/values.js';
import type { BlackjackCard } from './blackjack-hand.js';
import type { Illegality } from './points-rules.js';

/** Keys as in the published code, and `taskKey` at reset: the start and the target. */
export type NumberLineInfo = { Target: number; Current: number; taskKey?: string };

/** Keys as in the published code. */
export type PointsInfo = {
  /** Names: suit letter, rank letter. */
  Cards: string[];
  /** Values of the cards. */
  Numbers: number[];
  /** Numbers and signs appended so far; a blank for an illegal number under the published rules. */
  Formula: FormulaEntry[];
  /** The reason why the last action was illegal; never present under the published rules. */
  Illegal?: Illegality;
  /** Present at reset: the hand as numbers in ascending order, and the target. */
  taskKey?: string;
};

export type BlackjackTotals = [total: number, dealer: number, usableAce: number];
export type BlackjackObservation = RgbImage | string | BlackjackTotals;

/**
 * Keys as in the published code. The dealer's second card is included although the picture hides it. `taskKey` is
 * present at reset: the values of the player's cards and of the dealer's open card.
 */
export type BlackjackInfo = { 'Dealer Card': BlackjackCard[]; 'Player Card': BlackjackCard[]; taskKey?: string };

/** The actions 0, 1 and 2 of Signs. */
export const SIGNS = ['+', '-', '*'] as const;
export type Sign = (typeof SIGNS)[number];

export type SignsInfo = {
  /** Names: suit letter, rank letter, from the left. */
  Cards: string[];
  /** Values of the cards: 1 for an ace; 11, 12 and 13 for J, Q and K. */
  Numbers: number[];
  /** Signs placed so far. */
  Signs: Sign[];
  /** The value that the row must equal; `*` binds tighter than `+` and `-`. */
  Target: number;
  /** Present at reset. */
  taskKey?: string;
};
