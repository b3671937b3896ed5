/** MME: two yes-or-no questions a picture; accuracy plus the share of pictures with both right, in points per category. */
import type { Benchmark, Judged, Part, Row, Summary } from '../benchmark.js';
import { yesOrNo } from '../extract/short-rules.js';
import { keyOf, textOf } from '../fields.js';
import { grouped, invalidRate, mean, meanScore } from '../metrics/means.js';
import { strip } from '../text/python-text.js';
import { lines, picturesFirst } from './choices.js';

const PERCEPTION = [
  'existence',
  'count',
  'position',
  'color',
  'posters',
  'celebrity',
  'scene',
  'landmark',
  'artwork',
  'OCR',
];
const ENDING = ' Please answer yes or no.';

export const mme: Benchmark = {
  id: 'mme',
  rules: 'lmms-eval-2025',
  maxNewTokens: 16,
  pictures: 'images',
  // a picture has two questions
  key: (row) => `${textOf(row, 'category')}/${keyOf(row, 'question_id')}/${textOf(row, 'question')}`,
  cluster: (row) => pictureOf(row),
  prompt: (row, pictures) =>
    picturesFirst(
      pictures,
      lines(
        strip(textOf(row, 'question')).replaceAll(ENDING, ''),
        'Answer the question using a single word or phrase.',
      ),
    ),
  score(row, answer) {
    const label = yesOrNo(answer);
    const isRight = label === strip(textOf(row, 'answer')).toLowerCase().replaceAll('.', '');
    return { score: Number(isRight), extracted: label, invalid: label === 'other' };
  },
  summarize,
  choices: () => ['Yes', 'No'],
};

const pictureOf = (row: Row): string => `${textOf(row, 'category')}/${keyOf(row, 'question_id')}`;

/** The sum over the categories of perception that occur: 2,000 at most. */
function summarize(judged: readonly Judged[]): Summary {
  const categories = [...grouped(judged, (row) => textOf(row, 'category'))].map(
    ([category, group]) => [category, points(group)] as const,
  );
  const perception = categories.filter(([category]) => PERCEPTION.includes(category));
  const cognition = categories.filter(([category]) => !PERCEPTION.includes(category));
  const sum = (list: typeof categories): Part => ({
    value: list.reduce((total, [, { value }]) => total + value!, 0),
    n: list.reduce((total, [, { n }]) => total + n, 0),
  });
  return {
    metric: 'perception',
    unit: 'points',
    value: sum(perception).value,
    n: judged.length,
    invalidRate: invalidRate(judged),
    parts: { ...Object.fromEntries(categories), ...(cognition.length > 0 && { cognition: sum(cognition) }) },
    missing: PERCEPTION.filter((category) => !perception.some(([found]) => found === category)),
  };
}

function points(group: readonly Judged[]): Part {
  const pictures = [...grouped(group, pictureOf).values()].map((pair) => {
    const bothRight = pair.reduce((total, { verdict }) => total + verdict.score, 0) === 2;
    return 100 * meanScore(pair) + (bothRight ? 100 : 0);
  });
  return { value: mean(pictures), n: group.length };
}
