/**
 * ROUGE-1, ROUGE-2 and ROUGE-L as the Python package `rouge` 1.0.1 has them.
 *
 * Sentences end at every period, also in "3.5"; words are split at single blanks; n-grams are sets. ROUGE-L is that of
 * whole summaries, over distinct words.
 */
import { words } from '../text/python-text.js';

export interface RougeScore {
  /** Recall, precision and their harmonic mean, in [0, 1]. */
  readonly r: number;
  readonly p: number;
  readonly f: number;
}

export interface RougeScores {
  readonly rouge1: RougeScore;
  readonly rouge2: RougeScore;
  readonly rougeL: RougeScore;
}

/** `undefined` if the original raises: one of the texts has no sentence, as "" and "..." do. */
export function rouge(hypothesis: string, reference: string): RougeScores | undefined {
  const [said, wanted] = [sentences(hypothesis), sentences(reference)];
  if (said.length === 0 || wanted.length === 0) return undefined;
  return { rouge1: overlap(said, wanted, 1), rouge2: overlap(said, wanted, 2), rougeL: longest(said, wanted) };
}

type Sentence = readonly string[];

const sentences = (text: string): Sentence[] =>
  text
    .split('.')
    .filter((piece) => piece !== '')
    .map((piece) => words(piece).join(' ').split(' '));

function overlap(said: readonly Sentence[], wanted: readonly Sentence[], n: number): RougeScore {
  const [found, gold] = [ngrams(said.flat(), n), ngrams(wanted.flat(), n)];
  let common = 0;
  for (const each of found) if (gold.has(each)) common += 1;
  return scoreOf(common, gold.size, found.size);
}

function ngrams(list: readonly string[], n: number): Set<string> {
  const all = new Set<string>();
  // no word contains a blank
  for (let at = 0; at + n <= list.length; at += 1) all.add(list.slice(at, at + n).join(' '));
  return all;
}

function longest(said: readonly Sentence[], wanted: readonly Sentence[]): RougeScore {
  const common = new Set<string>();
  for (const reference of wanted) {
    for (const hypothesis of said) for (const word of commonSubsequence(reference, hypothesis)) common.add(word);
  }
  return scoreOf(common.size, new Set(wanted.flat()).size, new Set(said.flat()).size);
}

function scoreOf(common: number, wanted: number, said: number): RougeScore {
  const r = wanted === 0 ? 0 : common / wanted;
  const p = said === 0 ? 0 : common / said;
  return { r, p, f: 2 * ((p * r) / (p + r + 1e-8)) };
}

/** Words of the longest common subsequence, read from the end; on a tie of the two ways it goes left. */
function commonSubsequence(x: Sentence, y: Sentence): string[] {
  const width = y.length + 1;
  const table = new Uint32Array((x.length + 1) * width);
  for (let i = 1; i <= x.length; i += 1) {
    for (let j = 1; j <= y.length; j += 1) {
      table[i * width + j] =
        x[i - 1] === y[j - 1]
          ? table[(i - 1) * width + j - 1]! + 1
          : Math.max(table[(i - 1) * width + j]!, table[i * width + j - 1]!);
    }
  }
  const found: string[] = [];
  for (let i = x.length, j = y.length; i > 0 && j > 0; ) {
    if (x[i - 1] === y[j - 1]) {
      found.push(x[i - 1]!);
      i -= 1;
      j -= 1;
    } else if (table[(i - 1) * width + j]! > table[i * width + j - 1]!) i -= 1;
    else j -= 1;
  }
  return found;
}
