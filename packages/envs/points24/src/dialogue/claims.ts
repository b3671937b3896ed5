/** Claims of thoughts about cards and numbers, as values to compare with the state. */
import type { DialogueStyle } from './style.js';

/** A claim that a text does not make is `undefined`. */
export type Claim = boolean | undefined;

/** True if all claims are right, `undefined` if there are none. */
export function allRight(claims: readonly Claim[]): Claim {
  const made = claims.filter((claim) => claim !== undefined);
  return made.length === 0 ? undefined : made.every(Boolean);
}

/** A claim that the style asks for in fixed words: a thought without it is wrong, regardless of its other claims. */
export const askedFor = (claim: Claim, style: DialogueStyle): Claim =>
  style === 'compact-v1' ? claim === true : claim;

/** The claim of an entry that the answer asks for: right, or wrong where the entry is missing. */
export function entryClaim(
  entries: Readonly<Record<string, unknown>>,
  key: string,
  isRight: (value: unknown) => boolean,
): Claim {
  // a thought alone has no entries; an object that cannot be read has lost them
  const isAlone = Object.keys(entries).every((name) => name === 'thoughts');
  if (isAlone && !thoughtOf(entries).startsWith('{')) return undefined;
  return isRight(entries[key]);
}

/** The text of the thought; empty if the answer has none. */
export const thoughtOf = ({ thoughts }: Readonly<Record<string, unknown>>): string =>
  typeof thoughts === 'string' ? thoughts : '';

/** Lists cards by rank or value: `[7, "K", "A"]`, `7, K, A`. `undefined` for anything else. */
export function cardValues(given: unknown, rankValue: (rank: string) => number): number[] | undefined {
  const list = typeof given === 'string' ? given.split(/[\s,]+/) : given;
  if (!Array.isArray(list)) return undefined;
  const values = list.map((card: unknown) => {
    const rank = String(card).trim().toUpperCase();
    return /^(\d{1,2}|[AJQK])$/.test(rank) ? rankValue(rank) : Number.NaN;
  });
  return values.some(Number.isNaN) ? undefined : values;
}

export const isSameList = (first: readonly number[] | undefined, second: readonly number[]): boolean =>
  first?.length === second.length && first.every((value, index) => value === second[index]);

export const isSameHand = (first: readonly number[] | undefined, second: readonly number[]): boolean =>
  isSameList(
    first && [...first].sort((a, b) => a - b),
    [...second].sort((a, b) => a - b),
  );

/** The longest list of cards or formula that a sentence is searched for. */
const MAX_NAMED = 80;

/** The text of a sentence after a phrase, up to the first of the given ends; `undefined` if the phrase is missing. */
export function named(thought: string, phrase: string, ends: readonly string[]): string | undefined {
  const start = thought.toLowerCase().indexOf(phrase);
  if (start < 0) return undefined;
  const rest = thought.slice(start + phrase.length).slice(0, MAX_NAMED);
  const places = ends.map((end) => rest.indexOf(end)).filter((place) => place >= 0);
  return rest.slice(0, Math.min(rest.length, ...places)).trim();
}
