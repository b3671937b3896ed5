/**
 * An action of the domain, compiled against one game: its applicable operators, their commands, and their effects.
 *
 * Semantics: `docs/specs/alfworld.md`, section 6. An operator is a binding of the declared parameters; one that
 * could change nothing does not exist, which is why `go to` the place where the agent stands is not admissible.
 */
import type { Expression } from '../grammar/expression.js';
import { type Piece, readText } from '../grammar/text.js';
import type { ActionText } from '../grammar/twl2.js';
import type { ActionSchema } from '../pddl/domain.js';
import { type Effect, type Formula, TRUE } from '../pddl/formula.js';
import { type Frame, type Step, visitEach } from './join.js';
import { Planner, type Scope, type Test } from './plan.js';
import type { Relation } from './relation.js';
import { NEGATIVE } from './world.js';
import { TextContext, type Vocabulary, type Write } from './writer.js';

export interface Operator {
  readonly action: CompiledAction;
  /** Objects bound to the parameters, in order. */
  readonly values: Frame;
  readonly command: string;
}

interface Change {
  readonly relation: number;
  /** Relation that holds the explicit negative facts. */
  readonly negative: number;
  readonly slots: readonly number[];
  readonly negated: boolean;
  /** Condition of `when`, evaluated before anything changes. */
  readonly condition?: Test;
  /** All bindings of the variables of `forall`. */
  readonly bindings?: Step;
}

interface Fact {
  readonly relation: number;
  readonly negative: number;
  readonly negated: boolean;
  readonly terms: readonly number[];
}

export class CompiledAction {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Relations that determine which operators apply and how their commands read. */
  readonly reads: readonly number[];
  readonly #frame: Frame;
  readonly #solve: Step;
  readonly #changes: readonly Change[];
  readonly #isIdle: ((frame: Frame) => boolean) | undefined;
  readonly #command: (relations: readonly Relation[], values: Frame) => string;
  readonly #feedback: Write;
  readonly #repeats: boolean;

  constructor(schema: ActionSchema, text: ActionText, vocabulary: Vocabulary) {
    const { world } = vocabulary;
    this.name = schema.name;
    this.parameters = schema.parameters.map(({ name }) => name);
    const planner = new Planner(world, `action ${schema.name}`);
    const variables = schema.parameters.map(({ name, types }) => ({ name: `?${name}`, types }));
    const { scope, slots } = planner.declare(variables);
    this.#solve = planner.solutions(schema.precondition, scope, [], slots, visitEach);
    this.#changes = schema.effects.map((effect) => compileChange(effect, planner, scope, slots, world));
    this.#isIdle = idleTest(schema, planner, scope, this.#changes);
    this.#frame = planner.frame();
    this.#repeats = hasChoice(schema.precondition);

    const placeholders = schema.parameters.map(({ name, types: [type = 'object'] }) => ({ name, type }));
    const context = new TextContext(vocabulary, placeholders);
    this.#feedback = context.text(text.feedback);
    const reads = new Set<number>();
    collectRelations(schema.precondition, (predicate, arity) => reads.add(world.findRelation(predicate, arity)));
    const template = commandWriter(text.template, context, vocabulary);
    for (const relation of template.reads) reads.add(relation);
    this.reads = [...reads];
    this.#command = template.write;
  }

  /** Calls `found` with every operator that applies now. */
  operators(relations: readonly Relation[], found: (operator: Operator) => void): void {
    const frame = this.#frame;
    const count = this.parameters.length;
    const seen = this.#repeats ? new Set<string>() : undefined;
    this.#solve(relations, frame, () => {
      if (this.#isIdle?.(frame)) return false;
      const values = frame.slice(0, count);
      if (seen) {
        const key = values.join();
        if (seen.has(key)) return false;
        seen.add(key);
      }
      found({ action: this, values, command: this.#command(relations, values) });
      return false;
    });
  }

  /** Executes an applicable operator. Relations that change get the version `now`. */
  apply(relations: readonly Relation[], values: Frame, now: number): void {
    const frame = this.#frame;
    frame.set(values);
    const facts = this.#facts(relations, frame);
    for (const { relation, negative, negated, terms } of facts) {
      if (
        negated &&
        facts.some((other) => !other.negated && other.relation === relation && equal(other.terms, terms))
      ) {
        continue; // an add wins over a delete of the same fact
      }
      const [gains, loses] = negated ? [negative, relation] : [relation, negative];
      if (relations[loses]!.delete(terms)) relations[loses]!.version = now;
      if (relations[gains]!.add(terms)) relations[gains]!.version = now;
    }
  }

  /** Feedback of the game after `values` was applied. */
  feedback(relations: readonly Relation[], values: Frame): string {
    return this.#feedback(relations, values, 0);
  }

  #facts(relations: readonly Relation[], frame: Frame): Fact[] {
    const facts: Fact[] = [];
    for (const { relation, negative, negated, slots, condition, bindings } of this.#changes) {
      const collect = (): boolean => {
        if (condition === undefined || condition(relations, frame)) {
          facts.push({ relation, negative, negated, terms: slots.map((slot) => frame[slot]!) });
        }
        return false;
      };
      if (bindings) bindings(relations, frame, collect);
      else collect();
    }
    return facts;
  }
}

function compileChange(
  { atom, negated, variables, condition }: Effect,
  planner: Planner,
  scope: Scope,
  parameters: readonly number[],
  world: Vocabulary['world'],
): Change {
  const { scope: inner, slots: quantified } = planner.declare(variables, scope);
  const { relation, slots } = planner.resolveAtom(atom, inner);
  return {
    relation,
    negative: world.findRelation(NEGATIVE + atom.predicate, atom.terms.length),
    slots,
    negated,
    ...(isTrue(condition) ? {} : { condition: planner.test(condition, inner, [...parameters, ...quantified]) }),
    ...(quantified.length === 0 ? {} : { bindings: planner.solutions(TRUE, inner, parameters, quantified, visitEach) }),
  };
}

/**
 * Tests whether the operator in the frame would change nothing, by its precondition alone, as the original does when it
 * grounds: every add is a positive condition, and every delete without an equal add is a negative one.
 *
 * @returns `undefined` if no operator of the action can be idle.
 */
function idleTest(
  { precondition }: ActionSchema,
  planner: Planner,
  scope: Scope,
  changes: readonly Change[],
): ((frame: Frame) => boolean) | undefined {
  if (changes.some(({ condition, bindings }) => condition || bindings)) return undefined;
  const required = [...conjuncts(precondition)].map(({ formula, negated }) => ({
    ...planner.resolveAtom(formula, scope),
    negated,
  }));
  const impliedBy = ({ relation, negated }: Change) =>
    required.filter((literal) => literal.relation === relation && literal.negated === negated);
  const adds = changes.filter(({ negated }) => !negated);
  const canBeIdle = changes.every(
    (change) =>
      impliedBy(change).length > 0 || (change.negated && adds.some(({ relation }) => relation === change.relation)),
  );
  if (!canBeIdle) return undefined;
  const same = (frame: Frame, a: readonly number[], b: readonly number[]) =>
    a.every((slot, index) => frame[slot] === frame[b[index]!]);
  return (frame) =>
    changes.every(
      (change) =>
        impliedBy(change).some(({ slots }) => same(frame, slots, change.slots)) ||
        (change.negated &&
          adds.some(({ relation, slots }) => relation === change.relation && same(frame, slots, change.slots))),
    );
}

/** Atoms that the formula requires or forbids unconditionally. */
function* conjuncts(
  formula: Formula,
): Generator<{ readonly formula: Extract<Formula, { kind: 'atom' }>; readonly negated: boolean }> {
  if (formula.kind === 'and') for (const part of formula.parts) yield* conjuncts(part);
  else if (formula.kind === 'atom') yield { formula, negated: false };
  else if (formula.kind === 'not' && formula.part.kind === 'atom') yield { formula: formula.part, negated: true };
}

/** Whether the same binding of the parameters can be found twice. */
function hasChoice(formula: Formula): boolean {
  switch (formula.kind) {
    case 'and':
      return formula.parts.some(hasChoice);
    case 'or':
    case 'exists':
    case 'not':
      return formula.kind !== 'not' || hasChoice(formula.part);
    case 'forall':
      return true;
    default:
      return false;
  }
}

function collectRelations(formula: Formula, found: (predicate: string, arity: number) => void): void {
  if (formula.kind === 'atom') found(formula.predicate, formula.terms.length);
  else if ('parts' in formula) for (const part of formula.parts) collectRelations(part, found);
  else if ('part' in formula) collectRelations(formula.part, found);
}

interface CommandWriter {
  readonly write: (relations: readonly Relation[], values: Frame) => string;
  readonly reads: readonly number[];
}

/** Writes a template once per binding of the placeholders it mentions, unless it depends on facts that change. */
function commandWriter(template: string, context: TextContext, { world }: Vocabulary): CommandWriter {
  const write = context.text(template);
  const pieces = readText(template).map((piece) => (piece.kind === 'list' ? piece.item : piece));
  if (
    pieces.some((piece) => piece.kind === 'symbol' || (piece.kind === 'conditional' && piece.body.kind === 'symbol'))
  ) {
    return { write: (relations, values) => write(relations, values, 0), reads: world.dynamicRelations };
  }
  const atoms = pieces.flatMap((piece) => (piece.kind === 'conditional' && piece.query ? piece.query : []));
  const reads = atoms.map(({ predicate, arguments: terms }) => world.findRelation(predicate, terms.length));
  if (reads.some((relation) => world.dynamicRelations.includes(relation))) {
    return { write: (relations, values) => write(relations, values, 0), reads };
  }
  const keyOf = keyWriter(mentionedSlots(pieces, context), world.ids.length);
  const kept = new Map<number | string, string>();
  return {
    reads,
    write(relations, values) {
      const key = keyOf(values);
      let command = kept.get(key);
      if (command === undefined) {
        command = write(relations, values, 0);
        kept.set(key, command);
      }
      return command;
    },
  };
}

/** Slots that a template depends on: all of them if a query finds further objects, because those must differ. */
function mentionedSlots(pieces: readonly Piece[], { placeholders }: TextContext): number[] {
  const all = placeholders.map((_, slot) => slot);
  const mentioned = new Set<number>();
  for (const piece of pieces) {
    if (piece.kind !== 'conditional') continue;
    for (const { name, type } of piece.query?.flatMap((atom) => atom.arguments) ?? []) {
      const slot = placeholders.findIndex((placeholder) => placeholder.name === name && placeholder.type === type);
      if (slot < 0) return all;
      mentioned.add(slot);
    }
    if (piece.body.kind === 'value') {
      const names = variablesOf(piece.body.expression);
      for (const slot of all) if (names.includes(placeholders[slot]!.name)) mentioned.add(slot);
    }
  }
  return [...mentioned];
}

function variablesOf(expression: Expression): string[] {
  if (expression.kind === 'literal') return [];
  return expression.kind === 'property' ? [expression.variable] : expression.parts.flatMap(variablesOf);
}

function keyWriter(slots: readonly number[], objects: number): (values: Frame) => number | string {
  const [a, b, ...more] = slots;
  if (a === undefined) return () => 0;
  if (b === undefined) return (values) => values[a]!;
  if (more.length === 0) return (values) => values[a]! * objects + values[b]!;
  return (values) => slots.map((slot) => values[slot]).join();
}

function isTrue(formula: Formula): boolean {
  return formula.kind === 'and' && formula.parts.every(isTrue);
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, index) => value === b[index]);
}
