/**
 * The order of endings by an expert's preference: the shortest first; equally long endings in lexicographic order, with
 * larger numbers before smaller ones and numbers before signs.
 *
 * This is a total order that does not change when a common prefix is removed. So an expert that searches again at each
 * step keeps to its ending, and the ending of one prefix gives the endings of all longer prefixes along it.
 */
import type { FormulaEntry } from '../formula/values.js';

const SIGNS = '(+-*/)';

export function comesBefore(a: readonly FormulaEntry[], b: readonly FormulaEntry[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  for (const [index, entry] of a.entries()) {
    const difference = rank(entry) - rank(b[index]!);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

const rank = (entry: FormulaEntry): number => (typeof entry === 'number' ? -entry : 1 + SIGNS.indexOf(entry));
