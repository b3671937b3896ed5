/** EZPoints and Points24 as data for `PointsEnv`. */
import type { PythonRandom } from '@vlgym/core/random';
import type { PointsRules } from './points-rules.js';

export interface Hand {
  readonly cards: readonly string[];
  readonly numbers: readonly number[];
}

/** A game as data. */
export interface PointsGame {
  readonly name: 'ezpoints' | 'points24';
  readonly target: number;
  readonly handSize: number;
  /** Actions 0 to `highest - 1` are the numbers 1 to `highest`. */
  readonly highest: number;
  /** The remaining actions in order; `=` is the last. */
  readonly signs: readonly string[];
  readonly rules: PointsRules;
  deal(random: PythonRandom): Hand;
  /** Value of a card. */
  numberOf(card: string): number;
}
