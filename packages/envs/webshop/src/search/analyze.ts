/**
 * Converts text to index terms like Lucene's EnglishAnalyzer (Anserini's default): words, without a trailing `'s`, in lower
 * case, without 33 stop words, Porter stems. `test/golden/webshop-search.json.gz` pins 152 texts,
 * `webshop-words.json.gz` 1,500 with rare characters.
 */
import { porterStem } from './porter.js';
import { eachToken } from './tokens.js';

const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this ' +
    'to was will with'
  ).split(' '),
);

/** Terms by words as written; product texts repeat a small vocabulary. */
const known = new Map<string, string>();
const MAX_CACHED = 200_000;

/** The terms of a text, in order, with repeats. */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  eachToken(text, (word) => {
    const term = termOf(word);
    if (term !== '') terms.push(term);
  });
  return terms;
}

/** The index term of one word; empty for a stop word. */
export function termOf(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const term = compute(word);
  if (known.size >= MAX_CACHED) known.clear();
  known.set(word, term);
  return term;
}

function compute(word: string): string {
  const singular = /['\u2019\uff07][sS]$/.test(word) ? word.slice(0, -2) : word;
  const lower = lowerCase(singular);
  return STOP_WORDS.has(lower) ? '' : porterStem(lower);
}

/** Character by character, like Lucene: `İ` becomes `i`, not `i` and a dot. */
function lowerCase(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length === word.length && !/[\u03a3]/.test(word)) return lower;
  let result = '';
  for (const character of word) result += String.fromCodePoint(character.toLowerCase().codePointAt(0)!);
  return result;
}
