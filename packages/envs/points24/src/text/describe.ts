/**
 * The pictures of the games in words: all that a picture of the published size shows, and nothing else. Two states have the
 * same words if, and only if, they have the same picture.
 *
 * So suits and the order of cards are named although no rule needs them, and totals, hidden cards, and a target that only the
 * prompt states are not.
 */
import type { FormulaEntry } from '../formula/values.js';

const SUITS: Readonly<Record<string, string>> = { H: 'hearts', S: 'spades', D: 'diamonds', C: 'clubs' };

/** `7 of hearts`, `10 of spades`, `K of clubs`, from a name such as `H7`, `ST`, `S10`, `CK`. */
function cardInWords(name: string): string {
  const rank = name.slice(1);
  return `${rank === 'T' ? '10' : rank} of ${SUITS[name.charAt(0)]}`;
}

const cardsInWords = (names: readonly string[]): string => names.map(cardInWords).join(', ');

/** Both lines of NumberLine. */
export function describeLine(target: number, current: number): string {
  return `Target: ${target}\nCurrent: ${current}`;
}

/**
 * A row of cards from the left and the formula, with blanks between the entries as in the picture.
 *
 * @param target  Only where the picture shows it.
 */
export function describeTable(cards: readonly string[], formula: readonly FormulaEntry[], target?: number): string {
  return [
    ...(target === undefined ? [] : [`Target: ${target}`]),
    `Cards: ${cardsInWords(cards)}`,
    // a blank of the published rules is visible before an entry, and invisible after the last one
    `Formula: ${formula.join(' ')}`.trimEnd(),
  ].join('\n');
}

/** @param player  The cards that the picture shows. */
export function describeBlackjack(dealer: string, player: readonly string[]): string {
  return `Dealer: ${cardInWords(dealer)}, a hidden card\nPlayer: ${cardsInWords(player)}`;
}
