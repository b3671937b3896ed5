/**
 * Optimal play of Blackjack under the rules of the games: infinite deck, dealer draws to 17, one visible dealer card.
 *
 * Expected rewards are computed from the deck (exactly up to rounding) by recursion over totals, once per total.
 */
import { BUST_ABOVE, DEALER_STANDS_AT, DECK } from '../games/blackjack-hand.js';

/** A total; soft if an ace counts 11. */
interface Total {
  readonly points: number;
  readonly soft: boolean;
}

/** True if hitting has a higher expected reward than standing. */
export function shouldHit(player: Total, dealerValue: number): boolean {
  return hitValue(player, dealerValue) > standValue(player.points, dealerValue);
}

const hitValues = new Map<string, number>();

/** Expected reward of a hit followed by optimal play. */
function hitValue(player: Total, dealerValue: number): number {
  const key = `${player.points} ${player.soft} ${dealerValue}`;
  const known = hitValues.get(key);
  if (known !== undefined) return known;
  let sum = 0;
  for (const value of DECK) {
    const next = add(player, value);
    sum += next.points > BUST_ABOVE ? -1 : Math.max(standValue(next.points, dealerValue), hitValue(next, dealerValue));
  }
  hitValues.set(key, sum / DECK.length);
  return sum / DECK.length;
}

/** Expected reward of standing. */
function standValue(points: number, dealerValue: number): number {
  let value = 0;
  for (const [dealer, chance] of dealerTotals(add({ points: 0, soft: false }, dealerValue))) {
    value += chance * (dealer > BUST_ABOVE ? 1 : Math.sign(points - dealer));
  }
  return value;
}

const endings = new Map<string, ReadonlyMap<number, number>>();

/** Probabilities of the dealer's final totals; 22 stands for all totals above 21. */
function dealerTotals(dealer: Total): ReadonlyMap<number, number> {
  if (dealer.points >= DEALER_STANDS_AT) return new Map([[Math.min(dealer.points, BUST_ABOVE + 1), 1]]);
  const key = `${dealer.points} ${dealer.soft}`;
  const known = endings.get(key);
  if (known) return known;
  const chances = new Map<number, number>();
  for (const value of DECK) {
    for (const [points, chance] of dealerTotals(add(dealer, value))) {
      chances.set(points, (chances.get(points) ?? 0) + chance / DECK.length);
    }
  }
  endings.set(key, chances);
  return chances;
}

/** Adds a card. An ace counts 11 if possible, and 1 if the hand would bust. */
function add({ points, soft }: Total, value: number): Total {
  const aceAsEleven = value === 1 && points + 11 <= BUST_ABOVE;
  const sum = points + (aceAsEleven ? 11 : value);
  const isSoft = soft || aceAsEleven;
  return isSoft && sum > BUST_ABOVE ? { points: sum - 10, soft: false } : { points: sum, soft: isSoft };
}
