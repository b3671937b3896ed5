/**
 * The best play of Blackjack as the games deal it: infinite deck, dealer draws to 17, player sees one dealer card.
 *
 * Expected rewards are computed exactly from the deck (up to rounding), by recursion over totals, once per total.
 */
import { BUST_ABOVE, DEALER_STANDS_AT, DECK } from '../games/blackjack-hand.js';

/** A total is hard, or soft while an ace counts 11. */
interface Total {
  readonly points: number;
  readonly soft: boolean;
}

/** Whether a hit is worth more than to stand, on average. */
export function shouldHit(player: Total, dealerValue: number): boolean {
  return hitValue(player, dealerValue) > standValue(player.points, dealerValue);
}

const hitValues = new Map<string, number>();

/** Mean reward of a hit followed by best play. */
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

/** Mean reward of standing. */
function standValue(points: number, dealerValue: number): number {
  let value = 0;
  for (const [dealer, chance] of dealerTotals(add({ points: 0, soft: false }, dealerValue))) {
    value += chance * (dealer > BUST_ABOVE ? 1 : Math.sign(points - dealer));
  }
  return value;
}

const endings = new Map<string, ReadonlyMap<number, number>>();

/** Chances of the dealer's final totals; all totals beyond 21 together as 22. */
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

/** One more card: an ace counts 11 where it can, and falls back to 1 where the hand would bust. */
function add({ points, soft }: Total, value: number): Total {
  const aceAsEleven = value === 1 && points + 11 <= BUST_ABOVE;
  const sum = points + (aceAsEleven ? 11 : value);
  const isSoft = soft || aceAsEleven;
  return isSoft && sum > BUST_ABOVE ? { points: sum - 10, soft: false } : { points: sum, soft: isSoft };
}
