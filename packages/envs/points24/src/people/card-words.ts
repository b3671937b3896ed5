/** Cards in words, for people who cannot see the picture. */
import { rankOf } from '../games/cards.js';

const SUITS: Readonly<Record<string, string>> = { H: 'hearts', S: 'spades', D: 'diamonds', C: 'clubs' };
const RANKS: Readonly<Record<number, string>> = { 1: 'ace', 11: 'jack', 12: 'queen', 13: 'king' };

/** `H7` → `7 of hearts`, `SK` → `king of spades`. Names of Blackjack write ten as `10`. */
export function spokenCard(name: string): string {
  const rank = rankOf(name);
  return `${RANKS[rank] ?? (rank || name.slice(1))} of ${SUITS[name.charAt(0)] ?? 'an unknown suit'}`;
}

/** `7 of hearts, king of spades and ace of clubs` */
export const spokenCards = (names: readonly string[]): string => listed(names.map(spokenCard));

/** `4, 8 and 10` */
export function listed(items: readonly (string | number)[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
