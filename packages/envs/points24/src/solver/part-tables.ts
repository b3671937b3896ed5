/**
 * All values that a set of cards can make as a factor, a term or a sum of a formula, each with its preferred text.
 *
 * The tables follow the grammar (a sum consists of terms, a term of factors, a factor is a number or a sum in
 * parentheses), so values are computed in the order in which their text is evaluated.
 */
import { BoundedCache } from '../bounded-cache.js';
import type { FormulaEntry } from '../formula/values.js';
import { comesBefore } from './preference.js';

export type PartTable = ReadonlyMap<number, readonly FormulaEntry[]>;

const tables = new BoundedCache<string, PartTables>(512);

export class PartTables {
  /** The set of all cards. */
  readonly all: number;
  readonly #numbers: readonly number[];
  readonly #signs: string;
  readonly #factors = new Map<number, PartTable>();
  readonly #terms = new Map<number, PartTable>();
  readonly #products = new Map<number, PartTable>();
  readonly #sums = new Map<number, PartTable>();

  private constructor(numbers: readonly number[], signs: string) {
    this.#numbers = numbers;
    this.#signs = signs;
    this.all = 2 ** numbers.length - 1;
  }

  /** The tables of a hand; cached, because an episode needs them at every step. */
  static of(numbers: readonly number[], signs: string): PartTables {
    return tables.get(`${numbers}|${signs}`, () => new PartTables(numbers, signs));
  }

  /** A number or a sum in parentheses, using all cards of `part`. */
  factors(part: number): PartTable {
    return remembered(this.#factors, part, () => {
      const number = this.#singleNumber(part);
      if (number !== undefined) return new Map([[number, [number]]]);
      if (!this.#signs.includes('(')) return new Map();
      return new Map([...this.#sumsOver(part)].map(([value, entries]) => [value, ['(', ...entries, ')']]));
    });
  }

  /** Factors, products and quotients, using all cards of `part`. */
  terms(part: number): PartTable {
    return remembered(this.#terms, part, () => {
      const table = new Map(this.#productsOver(part));
      for (const [value, entries] of this.factors(part)) offer(table, value, entries);
      return table;
    });
  }

  #productsOver(part: number): PartTable {
    return remembered(this.#products, part, () => {
      const table: Growing = new Map();
      for (const first of properSubsetsOf(part)) {
        for (const [left, start] of this.terms(first)) {
          for (const [right, end] of this.factors(part ^ first)) {
            if (this.#signs.includes('*')) offer(table, left * right, [...start, '*', ...end]);
            if (this.#signs.includes('/') && right !== 0) offer(table, left / right, [...start, '/', ...end]);
          }
        }
      }
      return table;
    });
  }

  #sumsOver(part: number): PartTable {
    return remembered(this.#sums, part, () => {
      if (this.#singleNumber(part) !== undefined) return this.factors(part);
      const table: Growing = new Map(this.#productsOver(part));
      for (const first of properSubsetsOf(part)) {
        for (const [left, start] of this.#sumsOver(first)) {
          for (const [right, end] of this.terms(part ^ first)) {
            if (this.#signs.includes('+')) offer(table, left + right, [...start, '+', ...end]);
            if (this.#signs.includes('-')) offer(table, left - right, [...start, '-', ...end]);
          }
        }
      }
      return table;
    });
  }

  #singleNumber(part: number): number | undefined {
    return (part & (part - 1)) === 0 ? this.#numbers[31 - Math.clz32(part)] : undefined;
  }
}

const subsetLists: (readonly number[])[] = [];

/** All non-empty subsets of a set of cards, the whole set first. */
export function subsetsOf(set: number): readonly number[] {
  subsetLists[set] ??= Array.from({ length: set }, (_, index) => set - index).filter((part) => (part & set) === part);
  return subsetLists[set];
}

const properSubsetsOf = (set: number): readonly number[] => subsetsOf(set).slice(1);

type Growing = Map<number, readonly FormulaEntry[]>;

/** Keeps the preferred text of a value. */
function offer(table: Growing, value: number, entries: readonly FormulaEntry[]): void {
  const known = table.get(value);
  if (!known || comesBefore(entries, known)) table.set(value, entries);
}

function remembered(tables: Map<number, PartTable>, part: number, make: () => PartTable): PartTable {
  const known = tables.get(part);
  if (known) return known;
  const table = make();
  tables.set(part, table);
  return table;
}
