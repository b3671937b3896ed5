/**
 * All solutions of a hand with `+ - * /` and parentheses, in exact fractions.
 *
 * The published games compute in doubles, which loses one hand: the only solution of {3, 3, 8, 8}, 8/(3-8/3), evaluates
 * to 23.99999999999999. So each solution also has the value that the games compute.
 */

import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { BoundedCache } from '../bounded-cache.js';
import { evaluateFormula } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import { type Expression, entriesOf, join } from './expression.js';
import { type Fraction, type Operator, operate, sameFraction, whole } from './fraction.js';

export interface SolveOptions {
  /** Default 24. */
  readonly target?: number | undefined;
}

export interface Solution {
  /** With the fewest parentheses, such as `10+7+7*1`. */
  readonly text: string;
  /** The same as entries of a formula. */
  readonly entries: readonly FormulaEntry[];
  /** The value that the games compute: in doubles, in Python's order of operations. */
  readonly value: number;
  /** True if the games accept it: `value` equals the target exactly. */
  readonly accepted: boolean;
}

const OPERATORS: readonly Operator[] = ['+', '-', '*', '/'];
const MAX_CARDS = 6;

const SOLVE_OPTIONS = names<SolveOptions>({ target: 0 });

/**
 * All distinct solutions, shortest first, then alphabetical. Formulas that differ only in the order of terms or
 * factors, or in redundant parentheses, count as one.
 *
 * @param numbers  1 to 6 non-negative integers, each used exactly once. Four take about a millisecond, six take seconds.
 * @throws {GymError}  `UNSOLVABLE_INPUT`: too many numbers, or numbers too large for exact arithmetic.
 *
 * @example
 * solve([3, 3, 8, 8]); // [{ text: '8/(3-8/3)', value: 23.99999999999999, accepted: false, … }]
 */
export function solve(numbers: readonly number[], options: SolveOptions = {}): Solution[] {
  checkNames('options', options, SOLVE_OPTIONS);
  const { target = 24 } = options;

  const found = new Map<string, Solution>();
  for (const solution of new Search(numbers).solutions(target)) found.set(solution.text, solution);
  return [...found.values()].sort((a, b) => a.entries.length - b.entries.length || (a.text < b.text ? -1 : 1));
}

const verdicts = new BoundedCache<string, boolean>(8192);

const IS_SOLVABLE_OPTIONS = names<SolveOptions>({ target: 0 });

/** True if the games accept some formula for this hand. Throws the errors of `solve`. */
export function isSolvable(numbers: readonly number[], options: SolveOptions = {}): boolean {
  checkNames('options', options, IS_SOLVABLE_OPTIONS);
  const { target = 24 } = options;

  const hand = [...numbers].sort((a, b) => a - b);
  return verdicts.get(`${target}=${hand}`, () => {
    for (const { accepted } of new Search(hand).solutions(target)) if (accepted) return true;
    return false;
  });
}

/** A set of cards is a bit mask. Values are indexed by their doubles, which differ for different small fractions. */
class Search {
  readonly #numbers: readonly number[];
  readonly #values = new Map<number, ReadonlyMap<number, Fraction>>();

  constructor(numbers: readonly number[]) {
    assertSolvableInput(numbers);
    this.#numbers = numbers;
  }

  *solutions(target: number): Generator<Solution> {
    for (const expression of this.#expressions(2 ** this.#numbers.length - 1, whole(target))) {
      const entries = entriesOf(expression);
      const result = evaluateFormula(entries);
      const value = result.type === 'int' || result.type === 'float' ? Number(result.value) : Number.NaN;
      yield { text: entries.join(''), entries, value, accepted: value === target };
    }
  }

  /** All expressions over the cards of `mask` with this value; some are repeated. */
  *#expressions(mask: number, value: Fraction): Generator<Expression> {
    const only = this.#singleNumber(mask);
    if (only !== undefined) {
      if (sameFraction(whole(only), value)) yield { kind: 'number', value: only };
      return;
    }
    for (const [leftMask, rightMask] of splits(mask)) {
      for (const left of this.#valuesOf(leftMask).values()) {
        for (const right of this.#valuesOf(rightMask).values()) {
          for (const operator of OPERATORS) {
            const result = operate(operator, left, right);
            if (!result || !sameFraction(result, value)) continue;
            for (const a of this.#expressions(leftMask, left)) {
              for (const b of this.#expressions(rightMask, right)) yield join(operator, a, b);
            }
          }
        }
      }
    }
  }

  /** All values that the cards of `mask` can make. */
  #valuesOf(mask: number): ReadonlyMap<number, Fraction> {
    const known = this.#values.get(mask);
    if (known) return known;
    const values = new Map<number, Fraction>();
    const add = (value: Fraction | undefined) => value && values.set(value.numerator / value.denominator, value);
    const only = this.#singleNumber(mask);
    if (only !== undefined) add(whole(only));
    else {
      for (const [leftMask, rightMask] of splits(mask)) {
        for (const left of this.#valuesOf(leftMask).values()) {
          for (const right of this.#valuesOf(rightMask).values()) {
            for (const operator of OPERATORS) add(operate(operator, left, right));
          }
        }
      }
    }
    this.#values.set(mask, values);
    return values;
  }

  #singleNumber(mask: number): number | undefined {
    return (mask & (mask - 1)) === 0 ? this.#numbers[31 - Math.clz32(mask)] : undefined;
  }
}

/** All ordered pairs of non-empty parts of a set. */
function* splits(mask: number): Generator<[left: number, right: number]> {
  for (let left = (mask - 1) & mask; left > 0; left = (left - 1) & mask) yield [left, mask ^ left];
}

/** Numerator plus denominator of every value are below the product of `1 + n`; up to 2^26 nothing overflows. */
function assertSolvableInput(numbers: readonly number[]): void {
  const sound =
    numbers.length >= 1 &&
    numbers.length <= MAX_CARDS &&
    numbers.every((n) => Number.isSafeInteger(n) && n >= 0) &&
    numbers.reduce((product, n) => product * (1 + n), 1) <= 2 ** 26;
  if (sound) return;
  throw new GymError('The numbers are outside the range of the exact solver.', {
    code: 'UNSOLVABLE_INPUT',
    value: numbers,
    expected: `1 to ${MAX_CARDS} non-negative integers n, with a product of all n + 1 of at most 2^26`,
    hint: 'pass the numbers of the cards, such as solve([3, 3, 8, 8])',
  });
}
