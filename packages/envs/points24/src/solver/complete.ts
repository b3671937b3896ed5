/**
 * Finds the shortest regular completion of a formula, for `oracle` and the expert's labels.
 *
 * It accepts any prefix (`5--`, `((`, `12`, `2**`), parses it as Python does, and searches completions with the
 * remaining numbers, `+ - * /` and parentheses. It does not add joined digits, `**` or `//`. All values are doubles,
 * computed in the order of the finished formula's evaluation, so the games accept the result.
 */
import { GymError } from '@vlgym/core';
import { BoundedCache } from '../bounded-cache.js';
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import { PartTables, subsetsOf } from './part-tables.js';
import { comesBefore } from './preference.js';
import { type Frame, operateDoubles, type ReadPrefix, readPrefix, withPrefixes } from './prefix.js';

export interface CompletionTask {
  /** The formula so far. */
  readonly formula: readonly FormulaEntry[];
  /** Unused numbers, which must all be used. */
  readonly remaining: readonly number[];
  readonly target: number;
  /** Signs that may be appended, such as `+*` in EZPoints and `+-*\/()` in Points24. */
  readonly signs: string;
  /** Maximum number of entries to append. */
  readonly room: number;
}

/** Five cards take a second, six would take a minute. */
const MAX_CARDS = 5;

/**
 * @returns The entries to append, the preferred ones by `preference.ts`. Empty if the formula is complete; `undefined` if
 *          no completion equals the target.
 * @throws {GymError} `UNSOLVABLE_INPUT`: more than 5 numbers remain.
 */
export function completeFormula(task: CompletionTask): readonly FormulaEntry[] | undefined {
  if (task.remaining.length > MAX_CARDS) {
    throw new GymError(`Too many numbers to complete a formula: ${task.remaining.length}.`, {
      code: 'UNSOLVABLE_INPUT',
      value: task.remaining,
      expected: `at most ${MAX_CARDS} numbers`,
    });
  }
  const ending = endingOf({ ...task, remaining: [...task.remaining].sort((a, b) => b - a) });
  return ending && ending.length <= task.room ? ending : undefined;
}

/** `null` if no ending exists. */
const endings = new BoundedCache<string, readonly FormulaEntry[] | null>(16_384);

function endingOf(task: CompletionTask): readonly FormulaEntry[] | undefined {
  const known = endings.get(keyOf(task), () => {
    const ending = searchEnding(task);
    if (ending) rememberAlong(task, ending);
    return ending ?? null;
  });
  return known ?? undefined;
}

/** The search behind `completeFormula`, without the cache. */
export function searchEnding(task: CompletionTask): readonly FormulaEntry[] | undefined {
  const prefix = readPrefix(task.formula);
  const ending = prefix && new Search(task).complete(prefix);
  // Integers above 2^53 are not exact in the search, so check the result with the real evaluation.
  return ending && formulaEquals([...task.formula, ...ending], task.target) ? ending : undefined;
}

/** Caches all suffixes, because the rest of the preferred ending is the preferred ending of the longer formula. */
function rememberAlong(task: CompletionTask, ending: readonly FormulaEntry[]): void {
  const formula = [...task.formula];
  const remaining = [...task.remaining];
  for (const [index, entry] of ending.entries()) {
    formula.push(entry);
    if (typeof entry === 'number') remaining.splice(remaining.indexOf(entry), 1);
    endings.set(keyOf({ ...task, formula, remaining }), ending.slice(index + 1));
  }
}

function keyOf({ formula, remaining, target, signs }: CompletionTask): string {
  return `${formula.join('')}|${remaining}|${target}|${signs}`;
}

/**
 * Sets of remaining cards are bit masks. `depth` is the index of the frame of the innermost open parenthesis.
 *
 * The ending after a term or a sum depends only on its value and the remaining cards, so each such state is searched
 * once.
 */
class Search {
  readonly #target: number;
  readonly #tables: PartTables;
  readonly #factorSigns: readonly ('*' | '/')[];
  readonly #termSigns: readonly ('+' | '-')[];
  readonly #afterFactorKnown: KnownEndings = [];
  readonly #afterTermKnown: KnownEndings = [];
  #frames: readonly Frame[] = [];

  constructor({ remaining, target, signs }: CompletionTask) {
    this.#target = target;
    this.#tables = PartTables.of(remaining, signs);
    this.#factorSigns = (['*', '/'] as const).filter((sign) => signs.includes(sign));
    this.#termSigns = (['+', '-'] as const).filter((sign) => signs.includes(sign));
  }

  complete({ frames, operand }: ReadPrefix): Ending {
    this.#frames = frames;
    const depth = frames.length - 1;
    const all = this.#tables.all;
    if (operand !== undefined) return this.#afterOperand(depth, operand, all);
    const best = new Preferred();
    for (const part of subsetsOf(all)) {
      for (const [value, entries] of this.#tables.factors(part)) {
        if (best.mayTake(entries.length)) best.offer(entries, this.#afterOperand(depth, value, all ^ part));
      }
    }
    return best.entries;
  }

  /**
   * The formula ends with a number or a closed parenthesis: applies the signs before it and continues from its term.
   */
  #afterOperand(depth: number, operand: number, rest: number): Ending {
    const { prefixes, product } = this.#frames[depth]!;
    const factor = withPrefixes(prefixes, operand);
    const term = factor !== undefined && product ? operateDoubles(product.operator, product.left, factor) : factor;
    return term === undefined ? undefined : this.#afterFactor(depth, term, rest);
  }

  #afterFactor(depth: number, term: number, rest: number): Ending {
    const { sum } = this.#frames[depth]!;
    const total = sum ? operateDoubles(sum.operator, sum.left, term)! : term;
    if (rest === 0) return this.#afterTerm(depth, total, rest);
    return remembered(this.#afterFactorKnown, depth, rest, term, () => {
      const best = new Preferred();
      best.offer([], this.#afterTerm(depth, total, rest));
      for (const operator of this.#factorSigns) {
        for (const part of subsetsOf(rest)) {
          for (const [value, entries] of this.#tables.factors(part)) {
            if (!best.mayTake(1 + entries.length)) continue;
            const next = operateDoubles(operator, term, value);
            if (next === undefined) continue;
            const ending = this.#afterFactor(depth, next, rest ^ part);
            if (ending) best.offer([operator, ...entries], ending);
          }
        }
      }
      return best.entries;
    });
  }

  #afterTerm(depth: number, sum: number, rest: number): Ending {
    if (rest === 0) {
      if (depth === 0) return sum === this.#target ? [] : undefined;
      const ending = this.#afterOperand(depth - 1, sum, rest);
      return ending && [')', ...ending];
    }
    return remembered(this.#afterTermKnown, depth, rest, sum, () => {
      const best = new Preferred();
      if (depth > 0) best.offer([')'], this.#afterOperand(depth - 1, sum, rest));
      for (const operator of this.#termSigns) {
        for (const part of subsetsOf(rest)) {
          for (const [value, entries] of this.#tables.terms(part)) {
            if (!best.mayTake(1 + entries.length)) continue;
            const next = operator === '+' ? sum + value : sum - value;
            const ending = this.#afterTerm(depth, next, rest ^ part);
            if (ending) best.offer([operator, ...entries], ending);
          }
        }
      }
      return best.entries;
    });
  }
}

type Ending = readonly FormulaEntry[] | undefined;

/** Indexed by depth and remaining cards, then by value. */
type KnownEndings = Map<number, Ending>[];

function remembered(known: KnownEndings, depth: number, rest: number, value: number, search: () => Ending): Ending {
  const index = (depth << MAX_CARDS) | rest;
  known[index] ??= new Map();
  const endingsHere = known[index];
  if (endingsHere.has(value)) return endingsHere.get(value);
  const found = search();
  endingsHere.set(value, found);
  return found;
}

/** Keeps the preferred of the offered endings. */
class Preferred {
  entries: Ending;

  /** True if an ending of this length can still be preferred. */
  mayTake(length: number): boolean {
    return this.entries === undefined || length <= this.entries.length;
  }

  offer(start: readonly FormulaEntry[], rest: Ending): void {
    if (!rest || !this.mayTake(start.length + rest.length)) return;
    const entries = [...start, ...rest];
    if (!this.entries || comesBefore(entries, this.entries)) this.entries = entries;
  }
}
