/** Where things are, in the words of VAGEN's world-modeling format, and whether such words are true. */
import type { Offset } from '../sokoban/board.js';

type Offsets = Readonly<Record<string, readonly Offset[]>>;

const vertical = (down: number): string => (down < 0 ? 'above' : down > 0 ? 'below' : 'same row');
const horizontal = (right: number): string => (right < 0 ? 'left' : right > 0 ? 'right' : 'same column');

const relation = ([down, right]: Offset): string => `${vertical(down)} and ${horizontal(right)}`;

/** `The box is below and right of the player, and the target is …`: the first of each kind. */
export function sentenceOf(offsets: Offsets, verb: 'is' | 'will be'): string {
  const parts = Object.entries(offsets).flatMap(([name, [first]]) =>
    first === undefined ? [] : [`the ${name} ${verb} ${relation(first)} of the player`],
  );
  const sentence = parts.join(', and ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

const CLAIM = /\b(box|target|goal|hole) (?:is )?(?:at )?(above|below|same row) and (left|right|same column)\b/g;

/**
 * True if every claim of the form `box is below and left` fits some box; `undefined` without a claim.
 *
 * @param said  Text before the answer. Only its observation counts, if it has one.
 */
export function areTrue(said: string, offsets: Offsets): boolean | undefined {
  const start = said.indexOf('<observation>');
  const end = said.indexOf('</observation>');
  const observed = start >= 0 && end > start ? said.slice(start, end) : said;
  const claims = [...observed.toLowerCase().matchAll(CLAIM)];
  if (claims.length === 0) return undefined;
  return claims.every(([, name, up, side]) =>
    (offsets[name!] ?? []).some(([down, right]) => vertical(down) === up && horizontal(right) === side),
  );
}
