/**
 * A lenient reader of JSON-like text: finds keys and their scalar values where `JSON.parse` fails.
 *
 * Models wrap JSON in prose and code fences, cut it off, quote like Python and forget to escape. One pass from left to
 * right, linear in the text. A quote opens a string only where JSON allows one (after `{ [ , :` or at the start), so the
 * scan survives apostrophes in prose and unescaped quotes inside a thought.
 */

export interface KeyEntry {
  /** Offset of the key's opening quote. */
  readonly start: number;
  /** Offset after the colon. */
  readonly valueStart: number;
}

export interface ScalarValue {
  /** Decoded content; empty for `null`, for objects and for a missing value. */
  readonly text: string;
  /** Its value, if it is written as a number. */
  readonly number?: number;
  /** Offset after the value, closing quote included. */
  readonly end: number;
}

const QUOTES = new Set(['"', "'"]);
const BEFORE_STRING = new Set(['{', '[', ',', ':', '']);
const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;
const ENDS_BARE_VALUE = /[,}\]\r\n<`]/g;

/** The last entry of each wanted key, compared case-insensitively; keys of the result are lower-case. */
export function lastKeys(text: string, wanted: readonly string[]): Map<string, KeyEntry> {
  const names = new Set(wanted.map((name) => name.toLowerCase()));
  const found = new Map<string, KeyEntry>();
  let previous = ''; // last character outside strings that is not whitespace
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isBlank(character)) continue;
    const opens = QUOTES.has(character) && BEFORE_STRING.has(previous);
    previous = character;
    if (!opens) continue;
    const end = stringEnd(text, index);
    const colon = skipBlanks(text, end);
    if (text.charAt(colon) === ':') {
      const name = decode(text.slice(index + 1, end - 1)).toLowerCase();
      if (names.has(name)) found.set(name, { start: index, valueStart: colon + 1 });
    }
    index = end - 1;
  }
  return found;
}

/** The last textual `key:`, case-insensitive, with or without (escaped) quotes: the fallback when the scan finds none. */
export function lastTextualKey(text: string, key: string): KeyEntry | undefined {
  const pattern = new RegExp(`\\\\?["']?(?<![\\p{L}\\p{N}_])${escapePattern(key)}\\\\?["']?\\s*:`, 'giu');
  let found: KeyEntry | undefined;
  for (const match of text.matchAll(pattern)) {
    found = { start: match.index, valueStart: match.index + match[0].length };
  }
  return found;
}

/** The string, number or bare word that starts at `start`, after whitespace. */
export function readScalar(text: string, start: number): ScalarValue {
  const from = skipBlanks(text, start);
  const first = text.charAt(from);
  if (QUOTES.has(first)) {
    const end = stringEnd(text, from);
    const closed = end - from >= 2 && text.charAt(end - 1) === first;
    return { text: decode(text.slice(from + 1, closed ? end - 1 : end)), end };
  }
  if (first === '{' || first === '[') return { text: '', end: from };
  ENDS_BARE_VALUE.lastIndex = from;
  const end = ENDS_BARE_VALUE.exec(text)?.index ?? text.length;
  const bare = text.slice(from, end).trim();
  const number = JSON_NUMBER.test(bare) ? { number: Number(bare) } : undefined;
  return { text: /^(null|none|undefined)$/i.test(bare) ? '' : bare, ...number, end };
}

export function skipBlanks(text: string, start: number): number {
  let index = start;
  while (index < text.length && isBlank(text.charAt(index))) index += 1;
  return index;
}

/** Offset after the closing quote of the string that opens at `start`; the end of the text if it never closes. */
function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') index += 1;
    else if (character === quote) return index + 1;
  }
  return text.length;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function decode(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_match, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
