/**
 * The shortest honest way to finish a formula that somebody has begun: the expert behind `oracle` and the labels.
 *
 * It starts from any prefix, however odd (`5--`, `((`, `12`, `2**`), reads it as Python will, and searches the ways to
 * go on with the remaining numbers, `+ - * /` and brackets. It adds no joined digits, `**` or `//` itself. All values
 * are doubles computed in the order in which the finished formula will be, so what it finds is accepted.
 */
import { BoundedCache } from '../bounded-cache.js';
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import { PartTables, subsets } from './part-tables.js';
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

const completions = new BoundedCache<string, readonly FormulaEntry[] | undefined>(8192);

/**
 * @returns The entries to append, shortest first choice; empty where the formula is complete already; `undefined` where
 *          no such ending makes the target.
 */
export function completeFormula(task: CompletionTask): readonly FormulaEntry[] | undefined {
  const { formula, remaining, target, signs, room } = task;
  const suffix = completions.get(`${formula.join('')}|${remaining}|${target}|${signs}`, () => {
    const prefix = readPrefix(formula);
    const found = prefix && new Search(task).complete(prefix);
    // integers beyond 2^53 are not exact in the search: trust the real evaluation
    return found && formulaEquals([...formula, ...found], target) ? found : undefined;
  });
  return suffix && suffix.length <= room ? suffix : undefined;
}

/** Sets of remaining cards are bit masks; `depth` is the index of the innermost open bracket's frame. */
class Search {
  readonly #target: number;
  readonly #signs: string;
  readonly #tables: PartTables;
  readonly #known = new Map<string, readonly FormulaEntry[] | undefined>();
  #frames: readonly Frame[] = [];

  constructor({ remaining, target, signs }: CompletionTask) {
    this.#target = target;
    this.#signs = signs;
    this.#tables = PartTables.of(remaining, signs);
  }

  complete({ frames, operand }: ReadPrefix): readonly FormulaEntry[] | undefined {
    this.#frames = frames;
    const depth = frames.length - 1;
    const all = this.#tables.all;
    if (operand !== undefined) return this.#afterOperand(depth, operand, all);
    const best = new Shortest();
    for (const part of subsets(all)) {
      for (const [value, entries] of this.#tables.factors(part)) {
        best.offer(entries, () => this.#afterOperand(depth, value, all ^ part));
      }
    }
    return best.entries;
  }

  /** A number or closed bracket stands at the end: apply the signs before it and go on from its term. */
  #afterOperand(depth: number, operand: number, rest: number): readonly FormulaEntry[] | undefined {
    const frame = this.#frames[depth]!;
    const factor = withPrefixes(frame.prefixes, operand);
    const { product } = frame;
    const term = factor !== undefined && product ? operateDoubles(product.operator, product.left, factor) : factor;
    return term === undefined ? undefined : this.#afterFactor(depth, term, rest);
  }

  #afterFactor(depth: number, term: number, rest: number): readonly FormulaEntry[] | undefined {
    return this.#remember(`f${depth} ${rest} ${term}`, () => {
      const { sum } = this.#frames[depth]!;
      const best = new Shortest();
      best.offer([], () => this.#afterTerm(depth, sum ? operateDoubles(sum.operator, sum.left, term)! : term, rest));
      for (const operator of ['*', '/'] as const) {
        if (!this.#signs.includes(operator)) continue;
        for (const part of subsets(rest)) {
          for (const [value, entries] of this.#tables.factors(part)) {
            const next = operateDoubles(operator, term, value);
            if (next !== undefined)
              best.offer([operator, ...entries], () => this.#afterFactor(depth, next, rest ^ part));
          }
        }
      }
      return best.entries;
    });
  }

  #afterTerm(depth: number, sum: number, rest: number): readonly FormulaEntry[] | undefined {
    return this.#remember(`t${depth} ${rest} ${sum}`, () => {
      if (depth === 0 && rest === 0) return sum === this.#target ? [] : undefined;
      const best = new Shortest();
      if (depth > 0) best.offer([')'], () => this.#afterOperand(depth - 1, sum, rest));
      for (const operator of ['+', '-'] as const) {
        if (!this.#signs.includes(operator)) continue;
        for (const part of subsets(rest)) {
          for (const [value, entries] of this.#tables.terms(part)) {
            const next = operator === '+' ? sum + value : sum - value;
            best.offer([operator, ...entries], () => this.#afterTerm(depth, next, rest ^ part));
          }
        }
      }
      return best.entries;
    });
  }

  #remember(key: string, search: () => readonly FormulaEntry[] | undefined): readonly FormulaEntry[] | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const found = search();
    this.#known.set(key, found);
    return found;
  }
}

/** Keeps the shortest of the endings offered; of equal ones the first. */
class Shortest {
  entries: readonly FormulaEntry[] | undefined;

  offer(start: readonly FormulaEntry[], end: () => readonly FormulaEntry[] | undefined): void {
    if (this.entries && start.length >= this.entries.length) return;
    const rest = end();
    if (rest && (!this.entries || start.length + rest.length < this.entries.length)) this.entries = [...start, ...rest];
  }
}
