/**
 * A question set of one's own: `{ id, question, answer, options?, images?, group? }`.
 *
 * With options the answer is a letter and read like a choice; otherwise it is a number, or a text without regard to case
 * and punctuation.
 */
import type { Benchmark, Verdict } from '../benchmark.js';
import { firstNumber } from '../extract/first-number.js';
import { mcqAnswer } from '../extract/mcq-answer.js';
import { withoutPunctuation } from '../extract/short-rules.js';
import { keyOf, listOf, textOf } from '../fields.js';
import { plainSummary } from '../metrics/means.js';
import { floatRepr, pythonFloat } from '../text/python-float.js';
import { strip } from '../text/python-text.js';
import { interleaved, LETTER, letters, letterVerdict, lines } from './choices.js';

const letterAt = (index: number): string => String.fromCharCode(65 + index);

export const ownQuestions: Benchmark = {
  id: 'own',
  rules: 'vlgym-2026',
  maxNewTokens: 64,
  pictures: 'images',
  key: (row) => keyOf(row, 'id'),
  cluster: (row) => String(row.group ?? keyOf(row, 'id')),
  prompt(row, pictures) {
    const options = row.options ? listOf(row, 'options').map((option, i) => `${letterAt(i)}. ${option}`) : [];
    return interleaved(pictures, lines(textOf(row, 'question'), ...options, ...(options.length > 0 ? [LETTER] : [])));
  },
  score(row, answer) {
    const gold = keyOf(row, 'answer');
    if (row.options) {
      const letter = mcqAnswer(
        answer,
        listOf(row, 'options').map((_, i) => letterAt(i)),
      );
      return letterVerdict(letter, letter === gold);
    }
    const number = pythonFloat(gold);
    return number === undefined ? textVerdict(answer, gold) : numberVerdict(firstNumber(answer), number);
  },
  choices: (row) => (row.options ? letters(listOf(row, 'options').length) : []),
  summarize: (judged) => plainSummary(judged, { metric: 'accuracy', unit: 'share', fields: ['group'] }),
};

const numberVerdict = (value: number | undefined, gold: number): Verdict =>
  value === undefined
    ? { score: 0, invalid: true }
    : { score: Number(value === gold), extracted: floatRepr(value), invalid: false };

function textVerdict(answer: string, gold: string): Verdict {
  const plain = (text: string) => strip(withoutPunctuation(text));
  return { score: Number(plain(answer) === plain(gold)), extracted: plain(answer), invalid: plain(answer) === '' };
}
