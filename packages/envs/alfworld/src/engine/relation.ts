/**
 * The facts of one predicate, indexed so that a join scans only what it needs.
 *
 * Objects are numbers in the order of their ids, so ascending numbers give the order in which the original lists facts:
 * by first argument, then by second. Facts of one argument are a bit set, of two a sorted row per object for either
 * argument, of none a flag; the rare longer ones are a sorted list.
 */

export class Relation {
  readonly arity: number;
  /** Changes with every change of the facts; equal versions mean equal facts. */
  version = 0;
  /** Number of facts. */
  count = 0;
  /** Arity 1: members ascending. Arity above 2 (and 0): unused. */
  readonly members: number[] = [];
  /** Arity 2: second arguments by first, ascending. */
  readonly byFirst: (number[] | undefined)[] = [];
  /** Arity 2: first arguments by second, ascending. */
  readonly bySecond: (number[] | undefined)[] = [];
  /** Arity above 2: the facts, ascending. */
  readonly tuples: (readonly number[])[] = [];
  readonly #bits: Uint8Array;

  /** @param objects  Number of objects. */
  constructor(arity: number, objects: number) {
    this.arity = arity;
    this.#bits = new Uint8Array(arity === 1 ? objects : arity === 0 ? 1 : 0);
  }

  has(a: number, b: number): boolean {
    switch (this.arity) {
      case 0:
        return this.#bits[0] === 1;
      case 1:
        return this.#bits[a] === 1;
      default: {
        const row = this.byFirst[a];
        return row !== undefined && contains(row, b);
      }
    }
  }

  hasTuple(fact: readonly number[]): boolean {
    if (this.arity <= 2) return this.has(fact[0] ?? 0, fact[1] ?? 0);
    const place = tuplePlace(this.tuples, fact);
    return place < this.tuples.length && compare(this.tuples[place]!, fact) === 0;
  }

  /** @returns Whether the fact was new. */
  add(fact: readonly number[]): boolean {
    if (this.hasTuple(fact)) return false;
    const [a = 0, b = 0] = fact;
    if (this.arity <= 1) {
      this.#bits[a] = 1;
      if (this.arity === 1) insert(this.members, a);
    } else if (this.arity === 2) {
      insertInto(this.byFirst, a, b);
      insertInto(this.bySecond, b, a);
    } else {
      this.tuples.splice(tuplePlace(this.tuples, fact), 0, [...fact]);
    }
    this.count += 1;
    return true;
  }

  /** @returns Whether the fact was present. */
  delete(fact: readonly number[]): boolean {
    if (!this.hasTuple(fact)) return false;
    const [a = 0, b = 0] = fact;
    if (this.arity <= 1) {
      this.#bits[a] = 0;
      if (this.arity === 1) remove(this.members, a);
    } else if (this.arity === 2) {
      remove(this.byFirst[a]!, b);
      remove(this.bySecond[b]!, a);
    } else {
      this.tuples.splice(tuplePlace(this.tuples, fact), 1);
    }
    this.count -= 1;
    return true;
  }

  /** All facts in order. */
  facts(): number[][] {
    if (this.arity === 0) return this.#bits[0] === 1 ? [[]] : [];
    if (this.arity === 1) return this.members.map((member) => [member]);
    if (this.arity > 2) return this.tuples.map((fact) => [...fact]);
    return this.byFirst.flatMap((row, first) => (row ?? []).map((second) => [first, second]));
  }

  copy(): Relation {
    const copy = new Relation(this.arity, this.#bits.length);
    copy.count = this.count;
    copy.#bits.set(this.#bits);
    copy.members.push(...this.members);
    copy.tuples.push(...this.tuples);
    copyRows(this.byFirst, copy.byFirst);
    copyRows(this.bySecond, copy.bySecond);
    return copy;
  }
}

function copyRows(from: readonly (number[] | undefined)[], to: (number[] | undefined)[]): void {
  for (let index = 0; index < from.length; index += 1) {
    const row = from[index];
    to.push(row === undefined || row.length === 0 ? undefined : row.slice());
  }
}

function contains(row: readonly number[], value: number): boolean {
  // Rows are short, or long and static: a scan of small integers is fast in both cases.
  return row.indexOf(value) >= 0;
}

function insert(row: number[], value: number): void {
  let place = row.length;
  while (place > 0 && row[place - 1]! > value) place -= 1;
  row.splice(place, 0, value);
}

function insertInto(rows: (number[] | undefined)[], index: number, value: number): void {
  const row = rows[index];
  if (row === undefined) rows[index] = [value];
  else insert(row, value);
}

function remove(row: number[], value: number): void {
  row.splice(row.indexOf(value), 1);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}

/** Index of `fact`, or where to insert it. */
function tuplePlace(tuples: readonly (readonly number[])[], fact: readonly number[]): number {
  let [low, high] = [0, tuples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(tuples[middle]!, fact) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
