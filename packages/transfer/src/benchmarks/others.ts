/** MME-RealWorld, MMT-Bench, MIRB and GQA as lmms-eval asks and scores them. */
import { type Benchmark, QuestionError, type Row } from '../benchmark.js';
import { mmeRealWorldLetter } from '../extract/first-letter.js';
import { mmtChoice } from '../extract/multi-choice.js';
import { openCandidates, openMatches } from '../extract/open-answer.js';
import { letteredStart, withoutPunctuation } from '../extract/short-rules.js';
import { keyOf, lettered, listOf, textOf } from '../fields.js';
import { plainSummary } from '../metrics/means.js';
import { strip } from '../text/python-text.js';
import { letters, letterVerdict, lines, picturesFirst } from './choices.js';

const REAL_WORLD_ENDING =
  'Select the best answer to the above multiple-choice question based on the image. ' +
  'Respond with only the letter (A, B, C, D, or E) of the correct option.\nThe best answer is: ';

export const mmeRealWorld: Benchmark = {
  id: 'mme-real-world',
  rules: 'lmms-eval-2025',
  maxNewTokens: 16,
  pictures: 'images',
  key: (row) => keyOf(row, 'index'),
  prompt: (row, pictures) =>
    picturesFirst(
      pictures,
      lines(
        `${textOf(row, 'question')} The choices are listed below:`,
        ...listOf(row, 'multi-choice options'),
        REAL_WORLD_ENDING,
      ),
    ),
  score(row, answer) {
    const letter = mmeRealWorldLetter(answer);
    const gold = textOf(row, 'answer');
    const isRight = letter.toLowerCase() === gold.toLowerCase() || letter.includes(gold);
    return { ...letterVerdict(letter, isRight), invalid: letter === '' || strip(answer) === '' };
  },
  choices: (row) => letters(listOf(row, 'multi-choice options').length),
  summarize: (judged) =>
    plainSummary(judged, { metric: 'accuracy', unit: 'share', fields: ['category', 'l2-category'] }),
};

/** A letter drawn at random, as the original does without a seed, cannot be repeated: such answers count as wrong. */
export const mmtBench: Benchmark = {
  id: 'mmt-bench',
  rules: 'lmms-eval-2025-without-random-letters',
  maxNewTokens: 8,
  pictures: 'images',
  key: (row) => keyOf(row, 'index'),
  prompt(row, pictures) {
    const options = lettered(row, 'ABCDEFGHI').map(([letter, text]) => `${letter}: ${text}`);
    const ending = 'Answer the question using a single character from the given options.';
    return picturesFirst(pictures, lines('Question: <image>', textOf(row, 'question'), ...options, ending));
  },
  score(row, answer) {
    const letters = lettered(row, 'ABCDEFGHI').map(([letter]) => letter);
    const letter = mmtChoice(answer, letters) ?? '';
    return letterVerdict(letter, letter === textOf(row, 'answer'));
  },
  choices: (row) => lettered(row, 'ABCDEFGHI').map(([letter]) => letter),
  summarize: (judged) => plainSummary(judged, { metric: 'accuracy', unit: 'share', fields: ['l2-category'] }),
};

const WORD = 'Answer with a single word.';
const SYMBOL = 'Answer with the option symbol.';
const NUMBER = 'Answer with a single number.';
const INSTRUCTIONS: Readonly<Record<string, string>> = {
  analogy: WORD,
  attribute: WORD,
  plot_code: WORD,
  visual_chain: WORD,
  sightseeing: WORD,
  codeu: SYMBOL,
  food: SYMBOL,
  image_jigsaw: SYMBOL,
  arxiv: 'Answer with the paper title.',
  count: NUMBER,
  '3d_scene': `The following images are different views of the same 3D scene. ${NUMBER}`,
};

export const mirb: Benchmark = {
  id: 'mirb',
  rules: 'lmms-eval-2025',
  maxNewTokens: 64,
  pictures: 'images',
  key: (row) => `${textOf(row, 'subset')}/${keyOf(row, 'question_id')}`,
  prompt: (row, pictures) => picturesFirst(pictures, `${instruction(row)}${textOf(row, 'questions')}`),
  score(row, answer) {
    const gold = Array.isArray(row.answers) ? listOf(row, 'answers') : textOf(row, 'answers');
    if (typeof gold === 'string' && /^[A-E]$/.test(gold)) {
      const letter = letteredStart(answer);
      return { score: Number(letter === gold), extracted: letter, invalid: !/^[A-Z]$/.test(letter) };
    }
    const candidates = openCandidates(answer);
    return {
      score: Number(openMatches(candidates, gold)),
      extracted: candidates.join(' | '),
      invalid: strip(answer) === '',
    };
  },
  summarize: (judged) => plainSummary(judged, { metric: 'accuracy', unit: 'share', fields: ['subset'] }),
};

/** @throws {QuestionError} */
function instruction(row: Row): string {
  const subset = textOf(row, 'subset');
  if (Object.hasOwn(INSTRUCTIONS, subset)) return INSTRUCTIONS[subset]!;
  throw new QuestionError('subset', subset, Object.keys(INSTRUCTIONS).join(', '));
}

export const gqa: Benchmark = {
  id: 'gqa',
  rules: 'lmms-eval-2025',
  maxNewTokens: 16,
  pictures: 'images',
  key: (row) => keyOf(row, 'id'),
  cluster: (row) => keyOf(row, 'imageId'),
  prompt: (row, pictures) =>
    picturesFirst(pictures, lines(textOf(row, 'question'), 'Answer the question using a single word or phrase.')),
  score(row, answer) {
    const extracted = withoutPunctuation(answer);
    return {
      score: Number(extracted === withoutPunctuation(textOf(row, 'answer'))),
      extracted,
      invalid: strip(extracted) === '',
    };
  },
  summarize: (judged) => plainSummary(judged, { metric: 'exact match', unit: 'share', fields: [] }),
};
