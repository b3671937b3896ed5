/**
 * MMBench's development set: a question counts only if it is right in every rotation of its options.
 *
 * The published figure asks a GPT model about answers without a readable option. The static rules read those with `mcqAnswer`
 * instead; the others ask a judge of the user's.
 */
import type { Benchmark, Judged, Row, Summary } from '../benchmark.js';
import { mmbenchChoice, type OptionTexts } from '../extract/can-infer.js';
import { mcqAnswer } from '../extract/mcq-answer.js';
import { lettered, optionalText, textOf, wholeNumberOf } from '../fields.js';
import { grouped, invalidRate, plainSummary } from '../metrics/means.js';
import { LETTER, letterVerdict, lines, picturesFirst } from './choices.js';

/** Rotations of a question have its index plus a multiple of this. */
const ROTATION = 1e6;

export const mmbench: Benchmark = {
  id: 'mmbench',
  rules: 'lmms-eval-2026-static',
  maxNewTokens: 1024,
  pictures: 'images',
  key: (row) => String(wholeNumberOf(row, 'index')),
  cluster: (row) => questionOf(row),
  prompt(row, pictures) {
    const options = lettered(row, 'ABCDE').map(([letter, text]) => `${letter}. ${text}`);
    const hint = optionalText(row, 'hint');
    const question = `${hint === undefined ? '' : `${hint} `}${textOf(row, 'question')} There are several options:`;
    return picturesFirst(pictures, lines(question, ...options, '', LETTER));
  },
  score: (row, answer) => verdictOn(row, mmbenchChoice(answer, optionsOf(row)) ?? mcqAnswer(answer)),
  summarize,
  choices: (row) => lettered(row, 'ABCDE').map(([letter]) => letter),
};

export const mmbenchJudge: Benchmark = {
  ...mmbench,
  rules: 'lmms-eval-2026-judge',
  judge(row, answer) {
    if (mmbenchChoice(answer, optionsOf(row)) !== undefined) return undefined;
    return lines(
      'A multiple-choice question was answered in free words. Which option does the answer mean?',
      `Question: ${textOf(row, 'question')}`,
      ...Object.entries(optionsOf(row)).map(([letter, text]) => `${letter}. ${text}`),
      `Answer: ${answer}`,
      'Reply with the letter of the option alone, or with Z if the answer means none of them.',
    );
  },
  score: (row, answer, reading = answer) => verdictOn(row, mmbenchChoice(reading, optionsOf(row)) ?? ''),
};

function optionsOf(row: Row): OptionTexts {
  const pairs = [...'ABCD'].map((letter) => [letter, optionalText(row, letter)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

const verdictOn = (row: Row, letter: string) => letterVerdict(letter, letter === textOf(row, 'answer'));

const questionOf = (row: Row): string => String(wholeNumberOf(row, 'index') % ROTATION);

/** The row of a question without rotation stands for all of them. */
function summarize(judged: readonly Judged[]): Summary {
  const questions = [...grouped(judged, questionOf).values()].flatMap((rotations) => {
    const main = rotations.find(({ row }) => wholeNumberOf(row, 'index') < ROTATION);
    if (!main) return [];
    const score = Math.min(...rotations.map(({ verdict }) => verdict.score));
    return [{ row: main.row, verdict: { score, invalid: rotations.some(({ verdict }) => verdict.invalid) } }];
  });
  return {
    ...plainSummary(questions, { metric: 'circular accuracy', unit: 'share', fields: ['category', 'L2-category'] }),
    invalidRate: invalidRate(judged),
  };
}
