/**
 * Compiles conditions to joins: chooses which atom to match first, and tests everything as early as possible.
 *
 * Quantifiers in positive position become further slots of the join. A disjunction is a test if the atoms next to it bind
 * its variables, and otherwise one join per alternative. Negations and `forall` are tests. A condition
 * over 200 objects and six variables is answered in microseconds this way (`docs/specs/alfworld.md`, section 6).
 */
import { GameFileError } from '../errors.js';
import type { Atom, Formula, TypedName } from '../pddl/formula.js';
import { atomStep, type Frame, type Step, stop, testStep, typeStep } from './join.js';
import type { Relation } from './relation.js';
import type { Mask, World } from './world.js';

export type Test = (relations: readonly Relation[], frame: Frame) => boolean;

/** Variable → slot. */
export type Scope = ReadonlyMap<string, number>;

interface ResolvedAtom {
  readonly kind: 'atom';
  readonly relation: number;
  readonly slots: readonly number[];
  readonly negated: boolean;
}

type Resolved =
  | ResolvedAtom
  | { readonly kind: 'equal'; readonly a: number; readonly b: number; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Resolved[] }
  | { readonly kind: 'exists' | 'none'; readonly slots: readonly number[]; readonly part: Resolved };

/** Slots, masks, and constants of one action, query, or goal; makes its plans. */
export class Planner {
  readonly #world: World;
  readonly #start: number[] = [];
  readonly #masks: Mask[] = [];
  readonly #constants = new Map<string, number>();
  readonly #where: string;

  /** @param where  Name of the action or condition, for messages. */
  constructor(world: World, where: string) {
    this.#world = world;
    this.#where = where;
  }

  /** A frame with the constants in place. Call it after all plans are made. */
  frame(): Frame {
    return Int32Array.from(this.#start);
  }

  get size(): number {
    return this.#start.length;
  }

  maskOf = (slot: number): Mask => this.#masks[slot];

  /** Allocates slots for variables and returns the scope with them. */
  declare(
    variables: readonly TypedName[],
    outer: Scope = new Map(),
  ): { readonly scope: Scope; readonly slots: number[] } {
    const scope = new Map(outer);
    const slots = variables.map(({ name, types }) => {
      const slot = this.#newSlot(-1, this.#world.mask(types));
      scope.set(name, slot);
      return slot;
    });
    return { scope, slots };
  }

  /** All solutions of `formula` that extend the bound slots, with `wanted` bound at the end. */
  solutions(formula: Formula, scope: Scope, bound: readonly number[], wanted: readonly number[], last: Step): Step {
    return this.#join(
      [this.#resolve(formula, scope, false)],
      new Set([...bound, ...this.#constantSlots()]),
      wanted,
      last,
    );
  }

  test(formula: Formula, scope: Scope, bound: readonly number[]): Test {
    return this.#testOf(this.#resolve(formula, scope, false), new Set([...bound, ...this.#constantSlots()]));
  }

  resolveAtom(
    { predicate, terms }: Atom,
    scope: Scope,
  ): { readonly relation: number; readonly slots: readonly number[] } {
    return {
      relation: this.#world.relation(predicate, terms.length),
      slots: terms.map((term) => this.#slot(term, scope)),
    };
  }

  #constantSlots(): Iterable<number> {
    return this.#constants.values();
  }

  #newSlot(value: number, mask: Mask): number {
    this.#masks.push(mask);
    return this.#start.push(value) - 1;
  }

  #slot(term: string, scope: Scope): number {
    if (term.startsWith('?')) {
      const slot = scope.get(term);
      if (slot === undefined) throw new GameFileError(`The variable ${term} of ${this.#where} is not declared.`);
      return slot;
    }
    let slot = this.#constants.get(term);
    if (slot === undefined) {
      slot = this.#newSlot(this.#world.number(term), undefined);
      this.#constants.set(term, slot);
    }
    return slot;
  }

  /** Moves negations inward and replaces names by slots. */
  #resolve(formula: Formula, scope: Scope, negated: boolean): Resolved {
    switch (formula.kind) {
      case 'atom':
        return { kind: 'atom', ...this.resolveAtom(formula, scope), negated };
      case 'equal':
        return { kind: 'equal', a: this.#slot(formula.left, scope), b: this.#slot(formula.right, scope), negated };
      case 'not':
        return this.#resolve(formula.part, scope, !negated);
      case 'and':
      case 'or': {
        const kind = negated === (formula.kind === 'and') ? 'or' : 'and';
        return { kind, parts: formula.parts.map((part) => this.#resolve(part, scope, negated)) };
      }
      case 'exists':
      case 'forall': {
        const { scope: inner, slots } = this.declare(formula.variables, scope);
        const isExists = formula.kind === 'exists';
        // forall x: p  =  no x with not p
        const part = this.#resolve(formula.part, inner, !isExists);
        return { kind: isExists !== negated ? 'exists' : 'none', slots, part };
      }
    }
  }

  #join(parts: readonly Resolved[], bound: ReadonlySet<number>, wanted: readonly number[], last: Step): Step {
    const atoms: ResolvedAtom[] = [];
    const tests: Resolved[] = [];
    const open = [...wanted];
    const flatten = (part: Resolved): void => {
      if (part.kind === 'and') {
        for (const inner of part.parts) flatten(inner);
      } else if (part.kind === 'exists') {
        open.push(...part.slots);
        flatten(part.part);
      } else if (part.kind === 'atom' && !part.negated) {
        atoms.push(part);
      } else {
        tests.push(part);
      }
    };
    for (const part of parts) flatten(part);

    const bindable = new Set([...bound, ...atoms.flatMap(({ slots }) => slots)]);
    const split = tests.find((test) => test.kind === 'or' && !freeSlots(test).every((slot) => bindable.has(slot)));
    if (split?.kind === 'or') {
      const others = [...atoms, ...tests.filter((test) => test !== split)];
      const joins = split.parts.map((part) => this.#join([...others, part], bound, open, last));
      return (relations, frame, visit) => joins.some((join) => join(relations, frame, visit));
    }
    return this.#ordered(atoms, tests, new Set(bound), open, last);
  }

  /** Orders parts: tests as early as possible, then the atom with the fewest candidates, then objects by type. */
  #ordered(
    atoms: readonly ResolvedAtom[],
    tests: readonly Resolved[],
    bound: Set<number>,
    open: readonly number[],
    last: Step,
  ): Step {
    const [nextTest] = tests.filter((test) => freeSlots(test).every((slot) => bound.has(slot)));
    if (nextTest) {
      const test = this.#testOf(nextTest, new Set(bound));
      return testStep(
        test,
        this.#ordered(
          atoms,
          tests.filter((other) => other !== nextTest),
          bound,
          open,
          last,
        ),
      );
    }
    let best: ResolvedAtom | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const atom of atoms) {
      const cost = this.#cost(atom, bound);
      if (cost < least) [best, least] = [atom, cost];
    }
    if (best) {
      const rest = atoms.filter((other) => other !== best);
      const next = this.#ordered(rest, tests, new Set([...bound, ...best.slots]), open, last);
      return atomStep({ ...best, isBound: (slot) => bound.has(slot), maskOf: this.maskOf }, next);
    }
    const unbound = [...open, ...tests.flatMap(freeSlots)].find((slot) => !bound.has(slot));
    if (unbound === undefined) return last;
    const next = this.#ordered([], tests, new Set([...bound, unbound]), open, last);
    return typeStep(unbound, this.maskOf(unbound), this.#world.ids.length, next);
  }

  /** Estimated number of facts to scan, from the start of the game. */
  #cost({ relation, slots }: ResolvedAtom, bound: ReadonlySet<number>): number {
    const facts = this.#world.initial[relation]!;
    const count = Math.max(facts.count, 1);
    const known = slots.filter((slot) => bound.has(slot)).length;
    if (known === slots.length) return 0;
    if (known === 0 || slots.length !== 2) return known === 0 ? count : Math.sqrt(count);
    return count / Math.max(this.#world.rowsUsed(relation, bound.has(slots[0]!) ? 'byFirst' : 'bySecond'), 1);
  }

  #testOf(part: Resolved, bound: ReadonlySet<number>): Test {
    switch (part.kind) {
      case 'atom': {
        const { relation, slots, negated } = part;
        const [a = 0, b = 0] = slots;
        if (slots.length > 2) {
          return (relations, frame) => relations[relation]!.hasTuple(slots.map((slot) => frame[slot]!)) !== negated;
        }
        return (relations, frame) => relations[relation]!.has(frame[a]!, frame[b]!) !== negated;
      }
      case 'equal':
        return (_relations, frame) => (frame[part.a] === frame[part.b]) !== part.negated;
      case 'and': {
        const tests = part.parts.map((inner) => this.#testOf(inner, bound));
        return (relations, frame) => tests.every((test) => test(relations, frame));
      }
      case 'or': {
        const tests = part.parts.map((inner) => this.#testOf(inner, bound));
        return (relations, frame) => tests.some((test) => test(relations, frame));
      }
      case 'exists':
      case 'none': {
        const join = this.#join([part.part], bound, part.slots, stop);
        const wanted = part.kind === 'exists';
        return (relations, frame) => join(relations, frame, never) === wanted;
      }
    }
  }
}

const never = (): boolean => false;

/** Slots that must be bound before the part can be tested, without those that it binds itself. */
function freeSlots(part: Resolved): number[] {
  switch (part.kind) {
    case 'atom':
      return [...part.slots];
    case 'equal':
      return [part.a, part.b];
    case 'and':
    case 'or':
      return part.parts.flatMap(freeSlots);
    default: {
      const quantified = new Set(part.slots);
      return freeSlots(part.part).filter((slot) => !quantified.has(slot));
    }
  }
}
