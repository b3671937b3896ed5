/**
 * A game compiled once: objects, names, actions, goal. Immutable; any number of `Play`s run on it.
 *
 * Rules: `docs/specs/alfworld.md`, sections 5 to 10; the reference transcripts pin them byte for byte. What a game
 * says is decided by the grammar and domain inside its file, never by this package.
 */
import type { Generator } from '@vlgym/core';
import { type Task, taskOfGoal } from '../games/task.js';
import { readGrammarFile } from '../grammar/twl2.js';
import { type Domain, type Problem, readDomain, readProblem } from '../pddl/domain.js';
import type { Formula } from '../pddl/formula.js';
import { CompiledAction } from './action.js';
import { displayNames } from './names.js';
import { Planner, type Test } from './plan.js';
import type { Relation } from './relation.js';
import { World } from './world.js';
import { TextContext, type Vocabulary } from './writer.js';

/** The texts of a `game.tw-pddl`. */
export interface GameTexts {
  readonly domain: string;
  readonly problem: string;
  readonly grammar: string;
}

export interface CompileOptions {
  /** Numbers objects in an order drawn here (domain randomization) instead of that of their ids. */
  readonly shuffleNames?: Generator;
}

const INTRO = '#intro#';

/** What is known from the text of a domain alone. */
interface KnownDomain {
  readonly domain: Domain;
  /** Objects that its conditions and effects name, like the constants of a type. */
  readonly mentioned: ReadonlySet<string>;
}

/** Games share their domain; a few are alive at a time. */
const domains = new Map<string, KnownDomain>();
const MOST_DOMAINS = 8;

export class Game {
  readonly world: World;
  /** Display name by object number. */
  readonly names: readonly string[];
  readonly actions: readonly CompiledAction[];
  /** Relations that actions change; all others are shared by all plays. */
  readonly dynamic: readonly number[];
  /** What is to be done, where the goal has one of the six known forms. */
  readonly task: Task | undefined;
  readonly #goal: Test;
  readonly #goalFrame: Int32Array;
  readonly #vocabulary: Vocabulary;

  /** @throws {GameFileError} Texts that are not PDDL or twl2, or have constructs that are not interpreted. */
  constructor(
    { domain: domainText, problem: problemText, grammar: grammarText }: GameTexts,
    { shuffleNames }: CompileOptions = {},
  ) {
    const { domain, mentioned } = knownDomain(domainText);
    const problem = readProblem(problemText, domain.predicates);
    const grammar = readGrammarFile(grammarText);
    const world = new World(domain, problem, [...mentioned, ...objectsIn(problem.goal)]);
    this.world = world;
    const names = displayNames(world.idsInFacts, shuffleNames);
    this.names = world.ids.map((id) => names.get(id) ?? id);
    this.#vocabulary = { world, symbols: grammar.symbols, names: this.names };
    // an action without a text cannot be taken, a text without an action is never spoken
    this.actions = domain.actions.flatMap((schema) => {
      const text = grammar.actions.get(schema.name);
      return text === undefined ? [] : [new CompiledAction(schema, text, this.#vocabulary)];
    });
    const planner = new Planner(world, 'the goal');
    const goal = planner.test(problem.goal, new Map(), []);
    this.#goalFrame = planner.frame();
    this.#goal = goal;
    this.task = taskOfGoal(problem.goal);
    this.dynamic = world.dynamicRelations;
  }

  /** Facts at the start; static relations are shared. */
  start(): Relation[] {
    const relations = [...this.world.initial];
    for (const number of this.dynamic) relations[number] = relations[number]!.copy();
    return relations;
  }

  isWon(relations: readonly Relation[]): boolean {
    return this.#goal(relations, this.#goalFrame);
  }

  /** What the game says first. */
  intro(relations: readonly Relation[]): string {
    return new TextContext(this.#vocabulary, []).text(INTRO)(relations, new Int32Array(0), 0);
  }
}

/** The problem of a game, without compiling the game. @throws {GameFileError} */
export function problemOf({ domain, problem }: GameTexts): Problem {
  return readProblem(problem, knownDomain(domain).domain.predicates);
}

function knownDomain(text: string): KnownDomain {
  let known = domains.get(text);
  if (known === undefined) {
    const domain = readDomain(text);
    const formulas = domain.actions.flatMap(({ precondition, effects }) => [
      precondition,
      ...effects.flatMap(({ atom, condition }): Formula[] => [{ kind: 'atom', ...atom }, condition]),
    ]);
    known = { domain, mentioned: new Set(formulas.flatMap(objectsIn)) };
    if (domains.size >= MOST_DOMAINS) domains.clear();
    domains.set(text, known);
  }
  return known;
}

/** Objects that a formula names; variables are none. */
function objectsIn(formula: Formula): readonly string[] {
  if ('parts' in formula) return formula.parts.flatMap(objectsIn);
  if ('part' in formula) return objectsIn(formula.part);
  const terms = formula.kind === 'atom' ? formula.terms : [formula.left, formula.right];
  return terms.filter((term) => !term.startsWith('?'));
}
