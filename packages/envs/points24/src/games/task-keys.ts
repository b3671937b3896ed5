/**
 * The task keys of the card games. Suits and the order of cards are not part of a task; a ten and a court card of value
 * 10 are the same task.
 */
import { taskKey } from '@vlgym/core';
import type { BlackjackCard } from './blackjack-hand.js';

const ascending = (numbers: readonly number[]): string => [...numbers].sort((a, b) => a - b).join(',');

/** `ezpoints:2,6->12`: values of the cards in ascending order, and the target. */
export function handKey(game: string, numbers: readonly number[], target: number): string {
  return taskKey(game, `${ascending(numbers)}->${target}`);
}

/** `numberline:4->1`: the start and the target. */
export function lineKey(start: number, target: number): string {
  return taskKey('numberline', `${start}->${target}`);
}

/** `blackjack:1,10/6`: values of the player's two cards and of the dealer's open card; an ace is 1. */
export function blackjackKey(player: readonly BlackjackCard[], open: BlackjackCard): string {
  return taskKey('blackjack', `${ascending(player.map(([value]) => value))}/${open[0]}`);
}

/**
 * `signs:4,7`: values of the cards in ascending order. The target is not included, so a hand occurs only in one split,
 * with all its targets.
 */
export function rowKey(numbers: readonly number[]): string {
  return taskKey('signs', ascending(numbers));
}
