/**
 * What an episode of each card game is about. Suits and the order of cards are details of the picture; a ten and a court
 * card that counts for 10 are the same task.
 */
import { taskKey } from '@vlgym/core';
import type { BlackjackCard } from './blackjack-hand.js';

const ascending = (numbers: readonly number[]): string => [...numbers].sort((a, b) => a - b).join(',');

/** `ezpoints:2,6->12`: what the cards count for, in ascending order, and the number to make. */
export function handKey(game: string, numbers: readonly number[], target: number): string {
  return taskKey(game, `${ascending(numbers)}->${target}`);
}

/** `numberline:4->1`: where the marker starts, and where it is to go. */
export function lineKey(start: number, target: number): string {
  return taskKey('numberline', `${start}->${target}`);
}

/** `blackjack:1,10/6`: what the player's two cards count for, and the dealer's open card; an ace is 1. */
export function blackjackKey(player: readonly BlackjackCard[], open: BlackjackCard): string {
  return taskKey('blackjack', `${ascending(player.map(([value]) => value))}/${open[0]}`);
}

/**
 * `signs:4,7`: what the cards count for, in ascending order. Not the target: a hand of one split is never met in the
 * other, whatever it is to make.
 */
export function rowKey(numbers: readonly number[]): string {
  return taskKey('signs', ascending(numbers));
}
