/**
 * The letter of an answer as lmms-eval reads it since 2026 (`extract_mcq_answer`).
 *
 * Candidates of all kinds are collected; the best kind wins, then the last place, then the first one collected.
 */
import { isLetter, strip } from '../text/python-text.js';

const TRIMMED = [',', '.', '!', '?', ';', ':', "'", '"'];

const PHRASES = [
  'the answer is',
  'answer is',
  'the correct answer is',
  'correct answer is',
  'the best answer is',
  'best answer is',
  'the correct option is',
  'correct option is',
  'the best option is',
  'best option is',
  'the choice is',
  'choice is',
  'the correct choice is',
  'correct choice is',
  'i choose',
  'i select',
  'i pick',
  'my answer is',
  'my choice is',
  '옵션',
  '정답은',
  '답은',
  '답:',
  '答案是',
  '答案为',
  '选',
  '答えは',
];

const START = 10;
const END = 9;
const PHRASE = 7;
/** Marks around a letter, with the rank of each. */
const MARKS = [
  { before: '(', after: ')', rank: 6 },
  { before: '', after: '.', rank: 5 },
  { before: '', after: ':', rank: 4 },
  { before: '', after: ')', rank: 3 },
  { before: '', after: ' ', rank: 2 },
];
const ANYWHERE = 0;

interface Candidate {
  readonly letter: string;
  readonly place: number;
  readonly rank: number;
}

export const LETTERS_A_TO_D: readonly string[] = [...'ABCD'];
export const LETTERS_A_TO_H: readonly string[] = [...'ABCDEFGH'];

/** @returns a letter, or an empty string where the answer names none. */
export function mcqAnswer(answer: string, letters: readonly string[] = LETTERS_A_TO_H): string {
  if (answer === '') return '';
  const trimmed = TRIMMED.reduce((text, character) => strip(text, character), strip(answer));
  const text = ` ${trimmed} `;
  const found = [...marked(text, letters), ...afterPhrases(text, letters), ...atEnds(strip(trimmed), letters)];
  return best(found.length > 0 ? found : places(text, letters, '', '', ANYWHERE));
}

const places = (text: string, letters: readonly string[], before: string, after: string, rank: number): Candidate[] =>
  letters
    .map((letter) => ({ letter, place: text.lastIndexOf(`${before}${letter}${after}`), rank }))
    .filter(({ place }) => place !== -1);

const marked = (text: string, letters: readonly string[]): Candidate[] =>
  MARKS.flatMap(({ before, after, rank }) => places(text, letters, before, after, rank));

function afterPhrases(text: string, letters: readonly string[]): Candidate[] {
  const lower = text.toLowerCase();
  return PHRASES.flatMap((phrase) => {
    const start = lower.indexOf(phrase);
    if (start === -1) return [];
    return letters
      .map((letter) => ({ letter, place: text.indexOf(letter, start + phrase.length), rank: PHRASE }))
      .filter(({ place }) => place !== -1);
  });
}

function atEnds(text: string, letters: readonly string[]): Candidate[] {
  const characters = [...text];
  const starts = letters.filter((letter) => characters[0] === letter && !isLetter(characters[1]));
  const ends = letters.filter((letter) => characters.at(-1) === letter && !isLetter(characters.at(-2)));
  return [
    ...starts.map((letter) => ({ letter, place: 0, rank: START })),
    ...ends.map((letter) => ({ letter, place: text.length - 1, rank: END })),
  ];
}

function best(candidates: readonly Candidate[]): string {
  const [first, ...others] = candidates;
  if (!first) return '';
  return others.reduce(
    (winner, next) =>
      next.rank > winner.rank || (next.rank === winner.rank && next.place > winner.place) ? next : winner,
    first,
  ).letter;
}
