/**
 * The shortest honest way to finish a formula that somebody has begun: the expert behind `oracle` and the labels.
 *
 * It starts from any prefix, however odd (`5--`, `((`, `12`, `2**`), reads it as Python will, and searches the ways to
 * go on with the remaining numbers, `+ - * /` and brackets. It adds no joined digits, `**` or `//` itself. All values
 * are doubles computed in the order in which the finished formula will be, so what it finds is accepted.
 */
import { GymError } from '@vlgym/core';
import { BoundedCache } from '../bounded-cache.js';
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import { PartTables, subsetsOf } from './part-tables.js';
import { comesBefore } from './preference.js';
import { type Frame, operateDoubles, type ReadPrefix, readPrefix, withPrefixes } from './prefix.js';

export interface CompletionTask {
  /** What stands already. */
  readonly formula: readonly FormulaEntry[];
  /** Numbers that must still be used, all of them. */
  readonly remaining: readonly number[];
  readonly target: number;
  /** Signs that may be appended, e.g. `+*` in EZPoints and `+-*\/()` in Points24. */
  readonly signs: string;
  /** Most entries that may be appended. */
  readonly room: number;
}

/** Five take a second, six would take a minute. */
const MAX_CARDS = 5;

/**
 * @returns The entries to append, the first in the order of `preference.ts`; empty where the formula is complete
 *          already; `undefined` where no such ending makes the target.
 * @throws {GymError} `UNSOLVABLE_INPUT`: more than 5 numbers remain.
 */
export function completeFormula(task: CompletionTask): readonly FormulaEntry[] | undefined {
  if (task.remaining.length > MAX_CARDS) {
    throw new GymError('There are too many numbers to complete a formula.', {
      code: 'UNSOLVABLE_INPUT',
      value: task.remaining,
      expected: `at most ${MAX_CARDS} numbers`,
    });
  }
  const ending = endingOf({ ...task, remaining: [...task.remaining].sort((a, b) => b - a) });
  return ending && ending.length <= task.room ? ending : undefined;
}

/** `null` where there is none. */
const endings = new BoundedCache<string, readonly FormulaEntry[] | null>(16_384);

function endingOf(task: CompletionTask): readonly FormulaEntry[] | undefined {
  const known = endings.get(keyOf(task), () => {
    const ending = searchEnding(task);
    if (ending) rememberAlong(task, ending);
    return ending ?? null;
  });
  return known ?? undefined;
}

/** What `completeFormula` looks up, searched anew. */
export function searchEnding(task: CompletionTask): readonly FormulaEntry[] | undefined {
  const prefix = readPrefix(task.formula);
  const ending = prefix && new Search(task).complete(prefix);
  // integers beyond 2^53 are not exact in the search: trust the real evaluation
  return ending && formulaEquals([...task.formula, ...ending], task.target) ? ending : undefined;
}

/** An episode that follows the ending needs no further search: the rest of the best ending is the best rest. */
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
 * Sets of remaining cards are bit masks; `depth` is the index of the innermost open bracket's frame.
 *
 * What follows a term or a sum depends on its value and on the cards left, not on how it was written, so each such
 * state is searched once.
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

  /** A number or closed bracket stands at the end: apply the signs before it and go on from its term. */
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

/** By depth and cards left, then by value. */
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

/** Keeps the preferred one of the endings offered. */
class Preferred {
  entries: Ending;

  /** Whether an ending that begins with so many entries can still be preferred. */
  mayTake(length: number): boolean {
    return this.entries === undefined || length <= this.entries.length;
  }

  offer(start: readonly FormulaEntry[], rest: Ending): void {
    if (!rest || !this.mayTake(start.length + rest.length)) return;
    const entries = [...start, ...rest];
    if (!this.entries || comesBefore(entries, this.entries)) this.entries = entries;
  }
}
