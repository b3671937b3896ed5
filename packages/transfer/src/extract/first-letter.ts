/** The first capital letter of an answer: lmms-eval's Video-MME of 2025, and its MME-RealWorld. */
import { strip, words } from '../text/python-text.js';

/** The last entry of the published list for Video-MME is one text: commas are missing, so it never occurs. */
const VIDEO_MME_PHRASES = [
  'The best answer is',
  'The correct answer is',
  'The answer is',
  'The answer',
  'The best option isThe correct option is',
  'Best answer:Best option:',
];

const MME_REAL_WORLD_PHRASES = [
  'The best answer is',
  'The correct answer is',
  'The answer is',
  'The answer',
  'The best option is',
  'The correct option is',
  'Best answer:',
  'Best option:',
];

/** Longer answers without a letter have none at all. */
const MAX_WORDS = 10;

/** @returns A to D, or an empty string. */
export function videoMmeLetter(answer: string): string {
  return letterIn(withoutPhrases(answer, VIDEO_MME_PHRASES), 'ABCD') ?? '';
}

/** @returns A to E, or an empty string; an empty answer counts as A, as published. */
export function mmeRealWorldLetter(answer: string): string {
  const text = withoutPhrases(answer, MME_REAL_WORLD_PHRASES);
  const letter = letterIn(text, 'ABCDE');
  if (letter !== undefined) return letter;
  if (words(text).length > MAX_WORDS) return '';
  const lower = text.toLowerCase();
  return [...'ABCDE'].find((each) => `(${each})`.toLowerCase().includes(lower)) ?? '';
}

const withoutPhrases = (answer: string, phrases: readonly string[]): string =>
  phrases.reduce((text, phrase) => text.replaceAll(phrase, ''), strip(answer));

const letterIn = (text: string, letters: string): string | undefined =>
  [...text].find((character) => letters.includes(character));
