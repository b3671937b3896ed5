/** MMStar under lmms-eval's rules of 2025 and 2026: the mean over finer categories, not over questions. */
import type { Benchmark, Judged, Row, Summary } from '../benchmark.js';
import { LETTERS_A_TO_D, mcqAnswer } from '../extract/mcq-answer.js';
import { mmstarMatches } from '../extract/short-rules.js';
import { keyOf, textOf } from '../fields.js';
import { invalidRate, mean, partsBy } from '../metrics/means.js';
import { strip } from '../text/python-text.js';
import { letterVerdict, lines, picturesFirst } from './choices.js';

/** Without a period, unlike the others. */
const LETTER = "Answer with the option's letter from the given choices directly";

export const mmstar2025 = mmstar('lmms-eval-2025', mmstarMatches);
export const mmstar2026 = mmstar('lmms-eval-2026', mmstarMatches2026);

export function mmstarMatches2026(answer: string, gold: string): boolean {
  return letterOf(answer) === strip(gold).toUpperCase();
}

const letterOf = (answer: string): string => mcqAnswer(answer, LETTERS_A_TO_D);

function mmstar(rules: string, matches: (answer: string, gold: string) => boolean): Benchmark {
  return {
    id: 'mmstar',
    rules,
    maxNewTokens: 1024,
    pictures: 'images',
    key: (row) => keyOf(row, 'index'),
    prompt: (row, pictures) => picturesFirst(pictures, lines(strip(textOf(row, 'question')), LETTER)),
    score(row: Row, answer: string) {
      const isRight = matches(answer, textOf(row, 'answer'));
      return { ...letterVerdict(letterOf(answer), isRight), invalid: !isRight && letterOf(answer) === '' };
    },
    summarize,
    choices: () => LETTERS_A_TO_D,
  };
}

function summarize(judged: readonly Judged[]): Summary {
  const parts = partsBy(judged, ['l2_category']);
  const values = Object.values(parts).map(({ value }) => value!);
  return {
    metric: 'average',
    unit: 'share',
    value: values.length === 0 ? undefined : mean(values),
    n: judged.length,
    invalidRate: invalidRate(judged),
    parts: { ...parts, ...partsBy(judged, ['category']) },
    missing: [],
  };
}
