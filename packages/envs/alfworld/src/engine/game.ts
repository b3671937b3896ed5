/**
 * A compiled game: objects, names, actions, goal. Immutable; any number of `Play`s can share it.
 *
 * Rules: `docs/specs/alfworld.md`, sections 5 to 10; the reference transcripts pin them byte for byte. What a game
 * says depends on the grammar and domain in its file, never on this package.
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
  /** Draws the order in which objects are numbered (domain randomization); default: the order of their ids. */
  readonly shuffleNames?: Generator | undefined;
}

const INTRO = '#intro#';

/** The parts of a game that depend only on the domain's text. */
interface CachedDomain {
  readonly domain: Domain;
  /** Objects named by its conditions and effects, like PDDL constants. */
  readonly mentioned: ReadonlySet<string>;
}

/** Most games share their domain. */
const domains = new Map<string, CachedDomain>();
const MAX_DOMAINS = 8;

export class Game {
  readonly world: World;
  /** Display name by object number. */
  readonly names: readonly string[];
  readonly actions: readonly CompiledAction[];
  /** Relations that actions change; plays share all others. */
  readonly dynamic: readonly number[];
  /** The task, if the goal has one of the six known forms. */
  readonly task: Task | undefined;
  readonly #goal: Test;
  readonly #goalFrame: Int32Array;
  readonly #vocabulary: Vocabulary;

  /** @throws {GameFileError} The texts are not PDDL or twl2, or have unsupported constructs. */
  constructor(
    { domain: domainText, problem: problemText, grammar: grammarText }: GameTexts,
    { shuffleNames }: CompileOptions = {},
  ) {
    const { domain, mentioned } = cachedDomain(domainText);
    const problem = readProblem(problemText, domain.predicates);
    const grammar = readGrammarFile(grammarText);
    const world = new World(domain, problem, [...mentioned, ...objectsIn(problem.goal)]);
    this.world = world;
    const names = displayNames(world.idsInFacts, shuffleNames);
    this.names = world.ids.map((id) => names.get(id) ?? id);
    this.#vocabulary = { world, symbols: grammar.symbols, names: this.names };
    // Actions without a text and texts without an action are dropped.
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

  /** Copies the initial facts; static relations are shared. */
  start(): Relation[] {
    const relations = [...this.world.initial];
    for (const number of this.dynamic) relations[number] = relations[number]!.copy();
    return relations;
  }

  isWon(relations: readonly Relation[]): boolean {
    return this.#goal(relations, this.#goalFrame);
  }

  /** The introduction of the game. */
  intro(relations: readonly Relation[]): string {
    return new TextContext(this.#vocabulary, []).text(INTRO)(relations, new Int32Array(0), 0);
  }
}

/** Reads the problem of a game without compiling it. @throws {GameFileError} */
export function problemOf({ domain, problem }: GameTexts): Problem {
  return readProblem(problem, cachedDomain(domain).domain.predicates);
}

function cachedDomain(text: string): CachedDomain {
  let known = domains.get(text);
  if (known === undefined) {
    const domain = readDomain(text);
    const formulas = domain.actions.flatMap(({ precondition, effects }) => [
      precondition,
      ...effects.flatMap(({ atom, condition }): Formula[] => [{ kind: 'atom', ...atom }, condition]),
    ]);
    known = { domain, mentioned: new Set(formulas.flatMap(objectsIn)) };
    if (domains.size >= MAX_DOMAINS) domains.clear();
    domains.set(text, known);
  }
  return known;
}

/** Objects that a formula names, without its variables. */
function objectsIn(formula: Formula): readonly string[] {
  if ('parts' in formula) return formula.parts.flatMap(objectsIn);
  if ('part' in formula) return objectsIn(formula.part);
  const terms = formula.kind === 'atom' ? formula.terms : [formula.left, formula.right];
  return terms.filter((term) => !term.startsWith('?'));
}
