/** VSI-Bench as lmms-eval asks and scores it; in 2026 its harness began to search answers for numbers. */
import {
  type Benchmark,
  type Judged,
  type Part,
  QuestionError,
  type Row,
  type Summary,
  type Verdict,
} from '../benchmark.js';
import { firstNumber } from '../extract/first-number.js';
import { firstWord } from '../extract/short-rules.js';
import { keyOf, listOf, textOf } from '../fields.js';
import { meanRelativeAccuracy } from '../metrics/mean-relative-accuracy.js';
import { grouped, invalidRate, mean, meanScore } from '../metrics/means.js';
import { floatRepr, pythonFloat } from '../text/python-float.js';
import { letters } from './choices.js';

const DIRECTIONS = ['object_rel_direction_easy', 'object_rel_direction_medium', 'object_rel_direction_hard'];
const CHOICES = [...DIRECTIONS, 'object_rel_distance', 'route_planning', 'obj_appearance_order'];
const NUMBERS = ['object_abs_distance', 'object_counting', 'object_size_estimation', 'room_size_estimation'];

const FRAMES = 'These are frames of a video.';
const LETTER = "Answer with the option's letter from the given choices directly.";
const WORD_OR_PHRASE = 'Please answer the question using a single word or phrase.';
/** The profiles for Gemini and GPT-4V say this. */
const NUMBER_ONLY = 'Do not response anything other than a single number!';

const startOf = (answer: string) => pythonFloat(firstWord(answer));

export const vsiBench2025 = vsiBench('lmms-eval-2025', startOf);
export const vsiBench2026 = vsiBench('lmms-eval-2026', firstNumber);
export const vsiBenchApi2025 = vsiBench('lmms-eval-2025-api', startOf, NUMBER_ONLY);
export const vsiBenchApi2026 = vsiBench('lmms-eval-2026-api', firstNumber, NUMBER_ONLY);

/** @param closing  The last line of questions for a number. */
function vsiBench(
  rules: string,
  numberOf: (answer: string) => number | undefined,
  closing = WORD_OR_PHRASE,
): Benchmark {
  return {
    id: 'vsi-bench',
    rules,
    maxNewTokens: 16,
    pictures: 'video',
    key: (row) => keyOf(row, 'id'),
    cluster: (row) => `${textOf(row, 'dataset')}/${textOf(row, 'scene_name')}`,
    prompt(row, pictures) {
      const question = textOf(row, 'question');
      const lines = isChoice(row)
        ? [question, `Options:\n${listOf(row, 'options').join('\n')}`, LETTER]
        : [question, closing];
      return [...Array(pictures).keys(), [FRAMES, ...lines].join('\n')];
    },
    score: (row, answer) => (isChoice(row) ? choiceVerdict(row, answer) : numberVerdict(row, numberOf(answer))),
    summarize,
    choices: (row) => (isChoice(row) ? letters(listOf(row, 'options').length) : []),
  };
}

/** @throws {QuestionError} */
function isChoice(row: Row): boolean {
  const type = textOf(row, 'question_type');
  if (CHOICES.includes(type)) return true;
  if (NUMBERS.includes(type)) return false;
  throw new QuestionError('question_type', type, [...CHOICES, ...NUMBERS].join(', '));
}

function choiceVerdict(row: Row, answer: string): Verdict {
  const extracted = firstWord(answer);
  const isRight = extracted.toLowerCase() === textOf(row, 'ground_truth').toLowerCase();
  return { score: Number(isRight), extracted, invalid: !isRight && !/^[A-Za-z]$/.test(extracted) };
}

function numberVerdict(row: Row, value: number | undefined): Verdict {
  if (value === undefined) return { score: 0, invalid: true };
  const target = pythonFloat(String(row.ground_truth));
  const score = target === undefined ? 0 : meanRelativeAccuracy(value, target);
  return { score, extracted: floatRepr(value), invalid: !Number.isFinite(value) };
}

const MRA = 'MRA:.5:.95:.05';

/** The plain mean of eight question types; direction is the plain mean of its three levels. */
function summarize(judged: readonly Judged[]): Summary {
  const types = grouped(judged, (row) => textOf(row, 'question_type'));
  const partOf = (type: string): Part => {
    const group = types.get(type) ?? [];
    return { value: group.length === 0 ? undefined : meanScore(group), n: group.length };
  };
  const single = [...CHOICES, ...NUMBERS].filter((type) => !DIRECTIONS.includes(type)).sort();
  const entries = [
    ...single.map((type) => [`${type}_${NUMBERS.includes(type) ? MRA : 'accuracy'}`, partOf(type)] as const),
    ['object_rel_direction_accuracy', meanOf(DIRECTIONS.map(partOf))] as const,
  ];
  const missing = [...CHOICES, ...NUMBERS].filter((type) => !types.has(type));
  return {
    metric: 'overall',
    unit: 'share',
    // a set of some question types has the mean of these, unless a level of direction is missing
    ...overall(entries.map(([, part]) => part)),
    invalidRate: invalidRate(judged),
    parts: Object.fromEntries([
      ...entries.filter(([, { n }]) => n > 0),
      ...DIRECTIONS.filter((type) => types.has(type)).map((type) => [`${type}_accuracy`, partOf(type)] as const),
    ]),
    missing,
  };
}

function overall(parts: readonly Part[]): Part {
  return meanOf(parts.filter(({ n }) => n > 0));
}

function meanOf(parts: readonly Part[]): Part {
  const values = parts.map(({ value }) => value);
  return {
    value: values.length === 0 || values.includes(undefined) ? undefined : mean(values as number[]),
    n: parts.reduce((sum, { n }) => sum + n, 0),
  };
}
