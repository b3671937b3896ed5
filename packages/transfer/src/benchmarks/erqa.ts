/** ERQA: pictures between the words as in the official harness, or all first as in lmms-eval. */
import type { Benchmark, PromptPart, Row } from '../benchmark.js';
import { LETTERS_A_TO_D, mcqAnswer } from '../extract/mcq-answer.js';
import { keyOf, textOf } from '../fields.js';
import { plainSummary } from '../metrics/means.js';
import { strip } from '../text/python-text.js';
import { letterVerdict, picturesFirst } from './choices.js';

/** Our own words: the sentence of the papers is not published. */
const REASON = '\nReason step by step, and end with `Answer: <letter>`.';

export const erqaInterleaved = erqa('lmms-eval-2026-interleaved', { layout: interleavedByOffset });
export const erqaPicturesFirst = erqa('lmms-eval-2026', {
  layout: (row, n) => picturesFirst(n, textOf(row, 'question')),
});
export const erqaReasoning = erqa('lmms-eval-2026-reasoning', { layout: interleavedByOffset, ending: REASON });
export const erqaStrict = erqa('strict', {
  layout: interleavedByOffset,
  letterOf: (answer) => strip(answer).toUpperCase(),
});

interface Variant {
  readonly layout: (row: Row, pictures: number) => readonly PromptPart[];
  readonly ending?: string;
  readonly letterOf?: (answer: string) => string;
}

function erqa(
  rules: string,
  { layout, ending, letterOf = (answer) => mcqAnswer(answer, LETTERS_A_TO_D) }: Variant,
): Benchmark {
  return {
    id: 'erqa',
    rules,
    maxNewTokens: 1024,
    pictures: 'images',
    // tables have an index only
    key: (row) => keyOf(row, row.question_id === undefined ? 'index' : 'question_id'),
    prompt: (row, pictures) => [...layout(row, pictures), ...(ending === undefined ? [] : [ending])],
    score(row, answer) {
      const letter = letterOf(answer);
      const isRight = letter !== '' && letter === strip(textOf(row, 'answer')).toUpperCase();
      return letterVerdict(LETTERS_A_TO_D.includes(letter) || isRight ? letter : '', isRight);
    },
    choices: () => LETTERS_A_TO_D,
    summarize: (judged) => plainSummary(judged, { metric: 'accuracy', unit: 'share', fields: ['question_type'] }),
  };
}

/**
 * `visual_indices` are character offsets into the question: 0 is before it, one beyond its end is behind it. Where all are
 * 0, or their number is not that of the pictures, all pictures come first.
 */
function interleavedByOffset(row: Row, pictures: number): readonly PromptPart[] {
  const text = textOf(row, 'question');
  const offsets = offsetsOf(row.visual_indices);
  if (offsets.length !== pictures || offsets.every((offset) => offset === 0) || !offsets.every(Number.isInteger)) {
    return picturesFirst(pictures, text);
  }
  const characters = [...text];
  const order = offsets.map((offset, picture) => ({ offset, picture })).sort((a, b) => a.offset - b.offset);
  const parts: PromptPart[] = [];
  let from = 0;
  for (const { offset, picture } of order) {
    const piece = characters.slice(from, offset).join('');
    if (piece !== '') parts.push(piece);
    parts.push(picture);
    from = Math.max(from, offset);
  }
  const rest = characters.slice(from).join('');
  return rest === '' ? parts : [...parts, rest];
}

/** A list, or a table's text of one: `[0, 12]`. */
function offsetsOf(value: unknown): readonly number[] {
  const list = typeof value === 'string' && /^\[[\d, ]*\]$/.test(value) ? (value.match(/\d+/g) ?? []) : value;
  return Array.isArray(list) ? list.map(Number) : [];
}
