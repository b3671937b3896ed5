/** Rules of a few lines: MuirBench, MMStar of 2025, MME, VSI-Bench, GQA. All lmms-eval's. */
import { firstCharacters, length, strip, stripEnd, stripStart } from '../text/python-text.js';

/** MuirBench, MIRB: the letter of a leading `X.`, otherwise the whole answer. */
export function letteredStart(answer: string): string {
  return /^([A-Z])\./.exec(stripStart(answer))?.[1] ?? answer;
}

/** VSI-Bench: everything before the first blank, without periods at its end. */
export function firstWord(answer: string): string {
  return strip(stripEnd(answer.split(' ', 1)[0]!, '.'));
}

const MMSTAR_STARTS = ['', '(', 'option ', 'the answer is '];

/** MMStar in 2025: does the answer begin with the letter? */
export function mmstarMatches(answer: string, gold: string): boolean {
  const plain = (text: string) => strip(text.toLowerCase().replaceAll('\n', ' '));
  const [said, wanted] = [plain(answer), plain(gold)];
  return MMSTAR_STARTS.some((start) => said.startsWith(start) && nextIs(said.slice(start.length), wanted));
}

const nextIs = (text: string, wanted: string): boolean => text !== '' && firstCharacters(text, 1) === wanted;

/** MME: `yes` or `no` within the first four characters. */
export function yesOrNo(answer: string): 'yes' | 'no' | 'other' {
  const text = strip(answer.toLowerCase()).replaceAll('.', '');
  if (length(text) === 1) return text === 'y' ? 'yes' : text === 'n' ? 'no' : 'other';
  const start = firstCharacters(text, 4);
  return start.includes('yes') ? 'yes' : start.includes('no') ? 'no' : 'other';
}

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** GQA: letter case and ASCII punctuation do not count. */
export const withoutPunctuation = (text: string): string => text.toLowerCase().replace(PUNCTUATION, '');
