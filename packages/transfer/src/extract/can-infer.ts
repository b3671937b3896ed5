/** The option that an answer names, by letter or by text: lmms-eval's MMBench and VLMEvalKit's, two rules of one name. */
import { length, words } from '../text/python-text.js';

/** Texts of the options by letter. */
export type OptionTexts = Readonly<Record<string, string>>;

const API_FAILURE = 'Failed to obtain answer via API';
/** E counts even where a question has no such option. */
const LETTERS = [...'ABCDE'];
/** Characters around a letter, tried in this order. */
const AFFIXES = [
  ['', '.'],
  ['', ','],
  ['', ':'],
  ['', ')'],
  ['', ').'],
  ['(', ')'],
  ['(', ').'],
  [':', ''],
  [':', ','],
  [':', '.'],
  [':', ')'],
  [':', ').'],
] as const;

/** lmms-eval (MMBench). @returns a letter, or `undefined` if the answer names no option or several. */
export function mmbenchChoice(answer: string, texts: OptionTexts): string | undefined {
  return mmbenchLetter(answer) ?? onlyNamed(answer.toLowerCase(), texts);
}

function mmbenchLetter(answer: string): string | undefined {
  if (answer.includes(API_FAILURE)) return undefined;
  const list = words(answer);
  const tokens = new Set(list);
  const bare = onlyIn(tokens, LETTERS);
  // "A" in a sentence is an article
  if (bare !== undefined && !(tokens.has('A') && list.length > 3)) return bare;
  for (const [before, after] of AFFIXES) {
    const found = onlyIn(tokens, LETTERS, before, after);
    if (found !== undefined) return found;
  }
  return undefined;
}

const REFUSALS = [
  "Sorry, I can't help with images of people yet.",
  "I can't process this file.",
  "I'm sorry, but without the image provided",
  'Cannot determine the answer',
];
const BLANKED = /[.()[\],:;!*#{}]/g;
/** A letter counts by itself only among the last four words. */
const LAST_WORDS = 5;
const STATED = /answer is \**([a-z])(?![a-z])/i;

/** VLMEvalKit. @returns a letter, `Z` for a refusal, or `undefined`. */
export function vlmEvalKitChoice(answer: string, texts: OptionTexts): string | undefined {
  const named = vlmEvalKitLetter(answer, Object.keys(texts));
  if (named !== undefined) return named;
  const room = 2 * Object.values(texts).reduce((sum, text) => sum + length(text), 0);
  const lower = answer.toLowerCase();
  return length(lower) > room ? undefined : onlyNamed(lower, texts);
}

function vlmEvalKitLetter(answer: string, letters: readonly string[]): string | undefined {
  if (answer.includes(API_FAILURE)) return undefined;
  if (REFUSALS.some((refusal) => answer.includes(refusal))) return 'Z';
  const list = words(answer.replace(BLANKED, ' '));
  const tokens = new Set(list);
  const found = letters.filter((letter) => tokens.has(letter));
  const [only] = found;
  if (found.length === 1 && list.indexOf(only!) > list.length - LAST_WORDS) return only;
  if (found.length === 0 && tokens.has('Z')) return 'Z';
  const stated = STATED.exec(answer)?.[1]?.toUpperCase();
  return stated !== undefined && letters.includes(stated) ? stated : undefined;
}

function onlyIn(tokens: ReadonlySet<string>, letters: readonly string[], before = '', after = ''): string | undefined {
  const found = letters.filter((letter) => tokens.has(`${before}${letter}${after}`));
  return found.length === 1 ? found[0] : undefined;
}

function onlyNamed(lower: string, texts: OptionTexts): string | undefined {
  const found = Object.keys(texts).filter((letter) => lower.includes(texts[letter]!.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}
