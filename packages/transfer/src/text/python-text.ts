/** Python's rules for text, where they differ from JavaScript's and a published score depends on them. */

/** White space of `str.isspace`: JavaScript's `\s` lacks the first five and adds U+FEFF. */
const SPACE = '\\x1c-\\x1f\\x85\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const ONE_SPACE = new RegExp(`[${SPACE}]`);
const SPACES = new RegExp(`[${SPACE}]+`);

/** `str.strip()`, or `str.strip(characters)`. */
export function strip(text: string, characters?: string): string {
  return stripEnd(stripStart(text, characters), characters);
}

export function stripStart(text: string, characters?: string): string {
  let start = 0;
  while (start < text.length && isOneOf(text[start]!, characters)) start += 1;
  return text.slice(start);
}

/** `str.rstrip()`, or `str.rstrip(characters)`. */
export function stripEnd(text: string, characters?: string): string {
  let end = text.length;
  while (end > 0 && isOneOf(text[end - 1]!, characters)) end -= 1;
  return text.slice(0, end);
}

const isOneOf = (character: string, characters: string | undefined): boolean =>
  characters === undefined ? ONE_SPACE.test(character) : characters.includes(character);

/** `str.split()`: no empty words. */
export const words = (text: string): string[] => text.split(SPACES).filter((word) => word !== '');

/** `len(text)`: code points. */
export const length = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** `text[:count]`: code points. */
export const firstCharacters = (text: string, count: number): string => {
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
};

/** `str.isalpha` of one character. */
export const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /^\p{L}/u.test(character);
