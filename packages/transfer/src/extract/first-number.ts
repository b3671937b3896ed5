/** The first number of an answer, in digits or English words: VSI-Bench in lmms-eval since 2026. */
import { asciiDigits, pythonFloat } from '../text/python-float.js';

const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const VALUES = new Map<string, number>([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
]);
/** Words that multiply what stands before them. */
const SCALES = new Map<string, number>([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);

const isNumberWord = (word: string): boolean => VALUES.has(word) || SCALES.has(word);

/** `undefined` if the answer has no number. */
export function firstNumber(answer: string): number | undefined {
  const text = asciiDigits(answer);
  const digits = /-?[0-9]+(?:\.[0-9]+)?/.exec(text);
  const inWords = firstInWords(text.toLowerCase());
  if (inWords && (!digits || inWords.place < digits.index)) return inWords.value;
  return digits ? pythonFloat(digits[0]) : undefined;
}

interface Word {
  readonly word: string;
  readonly place: number;
  readonly end: number;
}

function firstInWords(lower: string): { readonly value: number; readonly place: number } | undefined {
  const list = wordsOf(lower);
  const start = list.findIndex(({ word }) => isNumberWord(word));
  if (start === -1) return undefined;
  const taken = [list[start]!];
  for (let at = start + 1; at < list.length; at += 1) {
    const next = list[at]!;
    const joined = isJoint(lower.slice(list[at - 1]!.end, next.place));
    const after = list[at + 1];
    const isAnd =
      next.word === 'and' && !!after && isNumberWord(after.word) && isJoint(lower.slice(next.end, after.place));
    if (!joined || !(isNumberWord(next.word) || isAnd)) break;
    if (!isAnd) taken.push(next);
  }
  return { value: total(taken.map(({ word }) => word)), place: list[start]!.place };
}

const isJoint = (between: string): boolean => /^[\s-]+$/.test(between);

function wordsOf(lower: string): Word[] {
  return [...lower.matchAll(/[\p{L}\p{N}_]+/gu)].map(({ 0: word, index }) => ({
    word,
    place: index,
    end: index + word.length,
  }));
}

function total(list: readonly string[]): number {
  let sum = 0;
  let group = 0;
  for (const word of list) {
    const scale = SCALES.get(word);
    if (scale === undefined) group += VALUES.get(word)!;
    else if (scale === 100) group = Math.max(group, 1) * scale;
    else {
      sum += Math.max(group, 1) * scale;
      group = 0;
    }
  }
  return sum + group;
}
