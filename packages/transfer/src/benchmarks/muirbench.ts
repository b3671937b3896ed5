/** MuirBench as lmms-eval scores it: only a bare letter or `X.` counts, so "(C)" and "The answer is C" are wrong. */
import type { Benchmark, PromptPart, Row } from '../benchmark.js';
import { letteredStart } from '../extract/short-rules.js';
import { keyOf, listOf, textOf } from '../fields.js';
import { partsBy, plainSummary } from '../metrics/means.js';
import { strip } from '../text/python-text.js';
import { interleaved, LETTER, letters, lines, picturesFirst } from './choices.js';

export const muirBench = muirbench('lmms-eval-2025', picturesFirst);
/** Pictures in the place of their marks, in the question and in the options. */
export const muirBenchInterleaved = muirbench('lmms-eval-2025-interleaved', interleaved);

function muirbench(rules: string, layout: (pictures: number, text: string) => readonly PromptPart[]): Benchmark {
  return {
    id: 'muirbench',
    rules,
    maxNewTokens: 16,
    pictures: 'images',
    key: (row) => keyOf(row, 'idx'),
    prompt(row, pictures) {
      const options = listOf(row, 'options').map((option, index) => `${String.fromCharCode(65 + index)}. ${option}`);
      return layout(pictures, lines(textOf(row, 'question'), ...options, LETTER));
    },
    score(row, answer) {
      const extracted = strip(letteredStart(answer)).toLowerCase();
      const isRight = extracted === strip(textOf(row, 'answer')).toLowerCase();
      return { score: Number(isRight), extracted, invalid: !isRight && !/^[a-z]$/.test(extracted) };
    },
    choices: (row) => letters(listOf(row, 'options').length),
    summarize(judged) {
      const summary = plainSummary(judged, { metric: 'accuracy', unit: 'share', fields: ['task', 'image_relation'] });
      if (!judged.some(({ row }) => hasNoAnswer(row))) return summary;
      const halves = judged.map(({ row, verdict }) => ({
        row: { answerable: hasNoAnswer(row) ? 'no' : 'yes' },
        verdict,
      }));
      return { ...summary, parts: { ...summary.parts, ...partsBy(halves, ['answerable']) } };
    },
  };
}

/** Each question has a twin with other pictures or words, whose right option is that no option is right. */
function hasNoAnswer({ options, answer }: Row): boolean {
  const right = Array.isArray(options) && options['ABCDEFGHIJ'.indexOf(String(answer).trim().toUpperCase())];
  return /^none of the/i.test(String(right));
}
