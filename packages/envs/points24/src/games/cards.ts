/** Names of cards: suit letter and rank letter, `H7`, `ST`, `CQ`, as in the published games. */
import { GymError } from '@vlgym/core';

/** In the order from which EZPoints and Points24 draw. */
export const SUITS = ['H', 'S', 'D', 'C'] as const;

const RANKS = 'A23456789TJQK';

/** Letter of a rank from 1 to 13. */
export const face = (rank: number): string => RANKS.charAt(rank - 1);

/** Rank from 1 to 13 of a card's name. */
export const rankOf = (name: string): number => RANKS.indexOf(name.charAt(1)) + 1;

/** Matches the name of a card. */
export const CARD = /^[HSDC][A2-9TJQK]$/;

const SYMBOLS: Readonly<Record<string, string>> = { H: '♥', S: '♠', D: '♦', C: '♣' };

/** The name in symbols: `7♥`, `10♠`. */
function prettyCard(name: string): string {
  const rank = name.charAt(1);
  return `${rank === 'T' ? '10' : rank}${SYMBOLS[name.charAt(0)] ?? '?'}`;
}

/** A row of cards as text boxes, three lines; `?` is a face-down card. */
export function cardBoxes(names: readonly string[]): string {
  const labels = names.map((name) => (name === '?' ? '░░' : prettyCard(name)).padStart(3).padEnd(4));
  return [
    labels.map(() => '╭────╮').join(' '),
    labels.map((label) => `│${label}│`).join(' '),
    labels.map(() => '╰────╯').join(' '),
  ].join('\n');
}

/** @throws {GymError} `INVALID_CARDS` unless `value` is `count` card names. */
export function checkedCards(value: unknown, count: number): readonly string[] {
  const isValid =
    Array.isArray(value) &&
    value.length === count &&
    value.every((name) => typeof name === 'string' && CARD.test(name));
  if (isValid) return value as string[];
  throw new GymError('Invalid cards of a hand.', {
    code: 'INVALID_CARDS',
    value,
    expected: `${count} names, each of a suit (H, S, D, C) and a rank (A, 2 to 9, T, J, Q, K)`,
    hint: "for example reset({ options: { cards: ['H3', 'S3', 'D8', 'C8'] } })",
  });
}
