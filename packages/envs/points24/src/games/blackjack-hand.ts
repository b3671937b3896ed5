/** Cards and totals of Blackjack, and the draws of the published code: an infinite deck that never shows a ten. */
import type { Generator } from '@vlgym/core';

/** Value (ace 1, court cards 10), face and suit letter, as in the `info` of the published code. */
export type BlackjackCard = readonly [value: number, face: string, suit: string];

/** Values of thirteen equally likely ranks; four of them are 10. */
export const DECK = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] as const;
const SUITS = ['C', 'D', 'H', 'S'] as const;
const COURTS = ['J', 'Q', 'K'] as const;

/** Size of the largest hand: 21 aces, and the card that busts. */
export const MAX_HAND = 22;

/** True for a card that `drawCard` can return. Other values in a snapshot could make the dealer draw forever. */
export function isCard(value: unknown): value is BlackjackCard {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [points, face, suit] = value as unknown[];
  const faces: readonly unknown[] = points === 10 ? COURTS : [points === 1 ? 'A' : String(points)];
  return (
    (DECK as readonly unknown[]).includes(points) &&
    faces.includes(face) &&
    (SUITS as readonly unknown[]).includes(suit)
  );
}

export const BUST_ABOVE = 21;
export const DEALER_STANDS_AT = 17;

/** Draws the value, the suit, and for a 10 the court card, in this order. */
export function drawCard(generator: Generator): BlackjackCard {
  const value = drawOne(generator, DECK);
  const suit = drawOne(generator, SUITS);
  const face = value === 10 ? drawOne(generator, COURTS) : value === 1 ? 'A' : String(value);
  return [value, face, suit];
}

export function drawHand(generator: Generator): [BlackjackCard, BlackjackCard] {
  return [drawCard(generator), drawCard(generator)];
}

/** At each reset the published code draws another suit and, for a 10, another court card, and uses neither. */
export function drawUnused(generator: Generator, dealerValue: number): void {
  drawOne(generator, SUITS);
  if (dealerValue === 10) drawOne(generator, COURTS);
}

/** Name of a card's picture. */
export const cardName = ([, face, suit]: BlackjackCard): string => suit + face;

/** The total; one ace counts 11 if that does not bust. */
export function total(hand: readonly BlackjackCard[]): number {
  const sum = hand.reduce((points, [value]) => points + value, 0);
  return sum + (isSoft(hand) ? 10 : 0);
}

/** True if an ace counts 11. */
export function isSoft(hand: readonly BlackjackCard[]): boolean {
  const sum = hand.reduce((points, [value]) => points + value, 0);
  return hand.some(([value]) => value === 1) && sum + 10 <= BUST_ABOVE;
}

/** True for an ace and a ten in two cards. */
export function isNatural(hand: readonly BlackjackCard[]): boolean {
  return hand.length === 2 && total(hand) === BUST_ABOVE;
}

/** The total, or 0 for a busted hand. */
export function score(hand: readonly BlackjackCard[]): number {
  const points = total(hand);
  return points > BUST_ABOVE ? 0 : points;
}

/** Draws one item like NumPy's `choice`. */
function drawOne<T>(generator: Generator, items: readonly T[]): T {
  return items[generator.integers(0, items.length)]!;
}
