/**
 * Which of several endings an expert writes: the shortest, and of equally long ones the first in a dictionary in which
 * large numbers come before small ones and all numbers before signs.
 *
 * This is a total order that common beginnings do not change. So an expert who follows an ending step by step, asking
 * anew at each step, keeps to it, and what was found for one prefix holds for all longer ones along it.
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
