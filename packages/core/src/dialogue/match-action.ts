/**
 * Matches a text to one of the listed actions: exact first, then whole words, longest first.
 *
 * The published first-substring rule reads "cabinet 10" as "cabinet 1" and "11" as "1" (`docs/specs/algorithms.md`
 * 3.4); here an action only counts where it stands as a whole word or number, and two different ones are ambiguous.
 */

export type ActionMatch =
  | { readonly kind: 'found'; readonly index: number }
  | { readonly kind: 'ambiguous'; readonly indices: readonly [number, number] }
  | { readonly kind: 'none' };

/**
 * @param text     The text written as the action, e.g. the value of the `action` key.
 * @param actions  All actions, as the agent writes them; case and surrounding blanks do not matter.
 * @returns        `found` with the index into `actions`; `ambiguous` with the first two different actions found.
 */
export function matchAction(text: string, actions: readonly string[]): ActionMatch {
  const exact = actions.indexOf(text);
  if (exact >= 0) return { kind: 'found', index: exact };
  const written = normalize(text);
  if (written === '') return { kind: 'none' };
  const names = actions.map(normalize);
  const equal = names.indexOf(written);
  if (equal >= 0) return { kind: 'found', index: equal };
  return matchWords(written, names);
}

/** Scans from left to right and takes the longest action at each position; the covered text is not matched again. */
function matchWords(text: string, names: readonly string[]): ActionMatch {
  const indexOf = new Map<string, number>();
  for (const [index, name] of names.entries()) if (!indexOf.has(name)) indexOf.set(name, index);
  indexOf.delete('');
  const lengths = lengthsByStart(indexOf.keys());
  const minusIsAnAction = indexOf.has('-');

  let found: number | undefined;
  for (let position = 0; position < text.length; ) {
    const name = lengths
      .get(text.charCodeAt(position))
      ?.map((length) => text.slice(position, position + length))
      .find((piece) => indexOf.has(piece) && standsAlone(text, position, piece, minusIsAnAction));
    if (name === undefined) {
      position += 1;
      continue;
    }
    const index = indexOf.get(name)!;
    if (found !== undefined && found !== index) return { kind: 'ambiguous', indices: [found, index] };
    found = index;
    position += name.length;
  }
  return found === undefined ? { kind: 'none' } : { kind: 'found', index: found };
}

/** First UTF-16 unit → lengths of the names that start with it, longest first; most positions start none. */
function lengthsByStart(names: Iterable<string>): Map<number, number[]> {
  const lengths = new Map<number, Set<number>>();
  for (const name of names) {
    const first = name.charCodeAt(0);
    lengths.set(first, (lengths.get(first) ?? new Set()).add(name.length));
  }
  return new Map([...lengths].map(([first, all]) => [first, [...all].sort((a, b) => b - a)]));
}

/** Neither side of `name` at `position` continues a word or a number. */
function standsAlone(text: string, position: number, name: string, minusIsAnAction: boolean): boolean {
  const end = position + name.length;
  if (isWord(name, 0) && isWordBefore(text, position)) return false;
  if (isWordBefore(name, name.length) && isWord(text, end)) return false;
  if (/^\d/.test(name)) {
    if (/\d[.,]$/.test(text.slice(Math.max(0, position - 2), position))) return false; // "1.5" is neither 1 nor 5
    if (!minusIsAnAction && text.charAt(position - 1) === '-' && !isWordBefore(text, position - 1)) return false;
  }
  return !(/\d$/.test(name) && /^[.,]\d/.test(text.slice(end, end + 2)));
}

const WORD = /^[\p{L}\p{M}\p{N}_]$/u;

function isWord(text: string, position: number): boolean {
  const code = text.codePointAt(position);
  return code !== undefined && WORD.test(String.fromCodePoint(code));
}

function isWordBefore(text: string, position: number): boolean {
  if (position <= 0) return false;
  const isLowSurrogate = (text.charCodeAt(position - 1) & 0xfc00) === 0xdc00;
  return isWord(text, position - (isLowSurrogate && position > 1 ? 2 : 1));
}

/** Lower case, blanks collapsed and trimmed. */
function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
