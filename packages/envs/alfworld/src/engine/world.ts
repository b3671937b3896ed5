/**
 * One game as numbers: objects in the order of their ids, relations by name and arity, types as bit sets.
 *
 * Objects are sorted by code point (ids are ASCII): the original lists facts in that order, so ours need no sorting.
 */
import type { Domain, Problem } from '../pddl/domain.js';
import type { Atom } from '../pddl/formula.js';
import { Relation } from './relation.js';

/** Number of the relation that never has a fact. */
const EMPTY = 0;

/** 1 for each object of the type; `undefined` if every object is. */
export type Mask = Uint8Array | undefined;

/** Prefix of the explicit negative fact that a delete leaves behind; only the grammar can query it. */
export const NEGATIVE = 'not_';

export class World {
  /** Sorted; the index of an object is its number. */
  readonly ids: readonly string[];
  /** Ids that occur in an initial fact, sorted; these get display names. */
  readonly idsInFacts: readonly string[];
  /** Initial facts, by relation number. */
  readonly initial: Relation[] = [new Relation(2, 0)];
  /** Relations that actions change. */
  readonly dynamicRelations: readonly number[];
  readonly relationNames: string[] = [''];

  readonly #numbers = new Map<string, number>();
  /** By name, then by arity. */
  readonly #relations = new Map<string, (number | undefined)[]>();
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #members = new Map<string, number[]>();
  readonly #rowsUsed = new Map<number, number>();
  readonly #masks = new Map<string, Uint8Array>();

  /** @param mentioned  Objects that conditions name; they exist even without a fact or declaration. */
  constructor(domain: Domain, problem: Problem, mentioned: Iterable<string>) {
    const inFacts = new Set<string>();
    for (const { terms } of problem.facts) for (const term of terms) inFacts.add(term);
    const declared = [...domain.constants, ...problem.objects];
    const ids = new Set([...inFacts, ...mentioned]);
    for (const { name } of declared) ids.add(name);
    this.ids = [...ids].sort();
    this.idsInFacts = this.ids.filter((id) => inFacts.has(id));
    for (const [number, id] of this.ids.entries()) this.#numbers.set(id, number);
    this.#parents = domain.parents;
    for (const { name, types } of declared) {
      for (const type of types) this.#membersOf(type).push(this.number(name));
    }
    for (const fact of problem.facts) this.#addInitial(fact);
    const dynamic = new Set<number>();
    for (const { effects } of domain.actions) {
      for (const { atom, negated } of effects) {
        dynamic.add(this.relation(atom.predicate, atom.terms.length));
        if (negated) dynamic.add(this.relation(NEGATIVE + atom.predicate, atom.terms.length));
      }
    }
    this.dynamicRelations = [...dynamic];
  }

  /** @param id  One of `ids`. */
  number(id: string): number {
    return this.#numbers.get(id)!;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** Number of a relation for a query of the grammar; an empty relation if the game does not have it. */
  findRelation(name: string, arity: number): number {
    return this.#relations.get(name)?.[arity] ?? EMPTY;
  }

  /** Number of a relation, created on first use; only while the game is compiled. */
  relation(name: string, arity: number): number {
    let byArity = this.#relations.get(name);
    if (byArity === undefined) {
      byArity = [];
      this.#relations.set(name, byArity);
    }
    let number = byArity[arity];
    if (number === undefined) {
      number = this.initial.length;
      byArity[arity] = number;
      this.relationNames.push(name);
      this.initial.push(new Relation(arity, this.ids.length));
    }
    return number;
  }

  /** Number of rows of a binary relation that have a fact at the start. */
  rowsUsed(relation: number, side: 'byFirst' | 'bySecond'): number {
    const key = 2 * relation + (side === 'byFirst' ? 0 : 1);
    let used = this.#rowsUsed.get(key);
    if (used === undefined) {
      used = this.initial[relation]![side].reduce((total, row) => total + (row === undefined ? 0 : 1), 0);
      this.#rowsUsed.set(key, used);
    }
    return used;
  }

  #addInitial({ predicate, terms }: Atom): void {
    this.initial[this.relation(predicate, terms.length)]!.add(terms.map((term) => this.number(term)));
  }

  /** Objects of any of the types or their subtypes. An unknown type has no objects (see s-expression.ts). */
  mask(types: readonly string[]): Mask {
    if (types.includes('object')) return undefined;
    const key = types.join(' ');
    let mask = this.#masks.get(key);
    if (mask === undefined) {
      mask = new Uint8Array(this.ids.length);
      for (const [type, members] of this.#members) {
        if (types.some((wanted) => this.#isSubtype(type, wanted, new Set())))
          for (const member of members) mask[member] = 1;
      }
      this.#masks.set(key, mask);
    }
    return mask;
  }

  #membersOf(type: string): number[] {
    let members = this.#members.get(type);
    if (members === undefined) {
      members = [];
      this.#members.set(type, members);
    }
    return members;
  }

  #isSubtype(type: string, wanted: string, seen: Set<string>): boolean {
    if (type === wanted) return true;
    if (seen.has(type)) return false; // a cycle of types
    seen.add(type);
    return (this.#parents.get(type) ?? []).some((parent) => this.#isSubtype(parent, wanted, seen));
  }
}
