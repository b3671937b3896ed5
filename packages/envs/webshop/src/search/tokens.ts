/**
 * Splits a text into words like Lucene's StandardTokenizer, at the word boundaries of UAX #29.
 *
 * Letters, digits, and `_` stay together; `'`, `.` and `:` join letters, `'`, `.`, `,` and `;` join digits; each Han or
 * Hiragana character and each emoji is a word. `scripts/make-unicode-tables.ts` contains the rules and makes the tables of
 * an automaton, which equals Lucene's for every text. `test/golden/webshop-words.json.gz` pins its words.
 */
import { unpackRuns } from '../unicode/runs.js';
import { ACCEPTING, CLASS_COUNT, CLASS_RUNS, TRANSITIONS } from '../unicode/tables.generated.js';

/** Maximum length of a word in UTF-16 units; Lucene cuts longer words. */
const MAX_LENGTH = 255;
const [NOTHING_FOLLOWS, START] = [0, 1];

const NEXT = Uint8Array.from(TRANSITIONS, (character) => character.charCodeAt(0) - 48);
const ACCEPTS = new Uint8Array(NEXT.length / CLASS_COUNT);
for (const state of ACCEPTING) ACCEPTS[state] = 1;
const CLASSES = unpackRuns(CLASS_RUNS);

/** Calls `take` with each word, in order, as written. */
export function eachToken(text: string, take: (word: string) => void): void {
  eachSpan(text, (start, end) => take(text.slice(start, end)));
}

/** Calls `take` with start and end of each word, in order. */
export function eachSpan(text: string, take: (start: number, end: number) => void): void {
  const rest = asciiTokens(text, take);
  if (rest < text.length) generalTokens(text, rest, take);
}

const [LETTER, DIGIT, UNDERSCORE, JOINS_LETTERS, JOINS_DIGITS, JOINS_BOTH] = [1, 2, 3, 4, 5, 6];
const KIND = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) KIND[code] = LETTER;
  else if (/[0-9]/.test(character)) KIND[code] = DIGIT;
  else if (character === '_') KIND[code] = UNDERSCORE;
  else if (character === ':') KIND[code] = JOINS_LETTERS;
  else if (character === ',' || character === ';') KIND[code] = JOINS_DIGITS;
  else if (character === "'" || character === '.') KIND[code] = JOINS_BOTH;
}
const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * The same rules for ASCII, which nearly all text is, in one pass.
 *
 * @returns Where it stopped: at the start of a text that is not ASCII, or of a word that is too long.
 */
function asciiTokens(text: string, take: (start: number, end: number) => void): number {
  if (NOT_ASCII.test(text)) return 0;
  let start = -1;
  let previous = 0;
  let solid = false; // a letter or digit was seen: underscores alone are not a word
  for (let index = 0; index <= text.length; index += 1) {
    const kind = index < text.length ? KIND[text.charCodeAt(index)]! : 0;
    if (kind !== 0 && kind <= UNDERSCORE) {
      if (start < 0) start = index;
      if (kind !== UNDERSCORE) solid = true;
      previous = kind;
      continue;
    }
    if (start >= 0 && kind !== 0 && index + 1 < text.length) {
      const next = KIND[text.charCodeAt(index + 1)]!;
      const joins =
        (previous === LETTER && next === LETTER && kind !== JOINS_DIGITS) ||
        (previous === DIGIT && next === DIGIT && kind !== JOINS_LETTERS);
      if (joins) continue;
    }
    if (start >= 0) {
      if (index - start > MAX_LENGTH) return start;
      if (solid) take(start, index);
    }
    [start, solid, previous] = [-1, false, 0];
  }
  return text.length;
}

function generalTokens(text: string, from: number, take: (start: number, end: number) => void): void {
  const search = new WordSearch(text);
  for (let start = from; start < text.length; ) {
    const end = search.wordEnd(start);
    if (end > start) take(start, end);
    start = Math.max(end, start + widthAt(text, start));
  }
}

/**
 * Finds the longest word at a position.
 *
 * A failed search may read up to 255 characters. Their states are kept: a search from a later position that reaches the
 * same state ends like the earlier one, so that a run of joiners is read once, not 255 times.
 */
class WordSearch {
  /** End and final state of the earlier search. */
  #knownEnd = 0;
  #knownState = NOTHING_FOLLOWS;
  /** State after each character, by position. */
  #known = new Uint8Array(256);
  #fresh = new Uint8Array(256);

  constructor(readonly text: string) {}

  /** @returns `start` if no word starts there. */
  wordEnd(start: number): number {
    const { text } = this;
    const limit = limitFrom(text, start);
    let state = START;
    let wordEnd = start;
    let at = start;
    let isKnown = false; // the states from here on equal those of the earlier search
    while (at < limit) {
      const unit = text.charCodeAt(at);
      const width = unit < 0xd800 || unit > 0xdbff ? 1 : widthAt(text, at);
      state = NEXT[state * CLASS_COUNT + CLASSES[width === 1 ? unit : text.codePointAt(at)!]!]!;
      if (state === NOTHING_FOLLOWS) break;
      at += width;
      if (ACCEPTS[state] === 1) wordEnd = at;
      if (isKnown || at > this.#knownEnd || wordEnd > start || this.#known[at & 255] !== state) {
        (isKnown ? this.#known : this.#fresh)[at & 255] = state;
        continue;
      }
      isKnown = true;
      at = this.#knownEnd;
      state = this.#knownState;
      if (state === NOTHING_FOLLOWS) break;
    }
    if (wordEnd > start) this.#knownEnd = 0;
    else if (isKnown || at > this.#knownEnd) {
      if (!isKnown) [this.#known, this.#fresh] = [this.#fresh, this.#known];
      this.#knownEnd = at;
      this.#knownState = state;
    }
    return wordEnd;
  }
}

/** Lucene reads 255 UTF-16 units, without splitting a surrogate pair. */
function limitFrom(text: string, start: number): number {
  const end = start + MAX_LENGTH;
  if (end >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** UTF-16 units of the character at a position. */
function widthAt(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
}

const isHighSurrogate = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number) => (unit & 0xfc00) === 0xdc00;
