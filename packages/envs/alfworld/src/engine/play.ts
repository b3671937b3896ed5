/**
 * One game in play: facts, admissible commands, feedback of the last command.
 *
 * Rules: `docs/specs/alfworld.md`, section 10. A won game continues: ends and limits belong to the environment.
 */

import { pythonStrip } from '@vlgym/core/internal';
import { GameFileError } from '../errors.js';
import type { CompiledAction, Operator } from './action.js';
import type { Game } from './game.js';
import type { Relation } from './relation.js';

export const NOTHING_HAPPENS = 'Nothing happens.';

export interface PlayResult {
  readonly feedback: string;
  /** Whether the command was admissible. */
  readonly accepted: boolean;
  readonly won: boolean;
}

/** Facts that have changed since the start, relation by relation, as object numbers. */
export interface PlayState {
  readonly moves: number;
  readonly facts: Readonly<Record<string, readonly (readonly number[])[]>>;
}

interface CachedOperators {
  readonly versions: number;
  readonly operators: readonly Operator[];
}

export class Play {
  readonly game: Game;
  #relations: Relation[];
  #moves = 0;
  /** Grows with every change of a fact; relations take their versions from it. */
  #now = 0;
  #operatorCache = new Map<CompiledAction, CachedOperators>();
  #operators: Map<string, Operator> | undefined;
  #admissible: readonly string[] | undefined;
  #won: boolean | undefined;

  constructor(game: Game) {
    this.game = game;
    this.#relations = game.start();
  }

  /** A copy in the same state. */
  fork(): Play {
    const copy = new Play(this.game);
    for (const number of this.game.dynamic) copy.#relations[number] = this.#relations[number]!.copy();
    copy.#moves = this.#moves;
    return copy;
  }

  /** Returns to the start. @returns The introduction. */
  reset(): string {
    this.#relations = this.game.start();
    this.#moves = 0;
    this.#forget();
    return this.game.intro(this.#relations);
  }

  /** Executes an admissible command. White space around it is ignored; everything else must match. */
  step(command: string): PlayResult {
    const operator = this.#applicable().get(pythonStrip(command));
    if (operator === undefined) return { feedback: NOTHING_HAPPENS, accepted: false, won: this.won };
    this.#now += 1;
    operator.action.apply(this.#relations, operator.values, this.#now);
    this.#moves += 1;
    this.#operators = undefined;
    this.#admissible = undefined;
    this.#won = undefined;
    const feedback = operator.action.feedback(this.#relations, operator.values);
    return { feedback, accepted: true, won: this.won };
  }

  /** Admissible commands, sorted by code point. */
  get admissible(): readonly string[] {
    this.#admissible ??= [...this.#applicable().keys()].sort();
    return this.#admissible;
  }

  get won(): boolean {
    this.#won ??= this.game.isWon(this.#relations);
    return this.#won;
  }

  /** Number of executed commands. */
  get moves(): number {
    return this.#moves;
  }

  /** Operator of an admissible command. */
  operator(command: string): Operator | undefined {
    return this.#applicable().get(command);
  }

  get relations(): readonly Relation[] {
    return this.#relations;
  }

  save(): PlayState {
    const facts: Record<string, number[][]> = {};
    for (const number of this.game.dynamic) facts[this.#nameOf(number)] = this.#relations[number]!.facts();
    return { moves: this.#moves, facts };
  }

  /**
   * @param state  Saved by a play of the same game.
   * @throws {GameFileError}  A relation is missing, or a fact names an unknown object.
   */
  load({ moves, facts }: PlayState): void {
    const relations = this.game.start();
    const objects = this.game.world.ids.length;
    for (const number of this.game.dynamic) {
      const saved = Object.hasOwn(facts, this.#nameOf(number)) ? facts[this.#nameOf(number)] : undefined;
      const relation = relations[number]!;
      const isFact = (fact: readonly number[]) =>
        fact.length === relation.arity && fact.every((object) => object < objects);
      if (!saved?.every(isFact)) throw new GameFileError('The saved state belongs to another game.');
      for (const fact of relation.facts()) relation.delete(fact);
      for (const fact of saved) relation.add(fact);
    }
    this.#relations = relations;
    this.#moves = moves;
    this.#forget();
  }

  #nameOf(relation: number): string {
    return `${this.game.world.relationNames[relation]}/${this.game.world.initial[relation]!.arity}`;
  }

  #forget(): void {
    this.#operatorCache = new Map();
    this.#operators = undefined;
    this.#admissible = undefined;
    this.#won = undefined;
  }

  #applicable(): Map<string, Operator> {
    if (this.#operators) return this.#operators;
    const operators = new Map<string, Operator>();
    for (const action of this.game.actions) {
      for (const operator of this.#operatorsOf(action)) {
        if (!operators.has(operator.command)) operators.set(operator.command, operator);
      }
    }
    this.#operators = operators;
    return operators;
  }

  /** Recomputed only if a relation that the action reads has changed. */
  #operatorsOf(action: CompiledAction): readonly Operator[] {
    let versions = 0;
    for (const relation of action.reads) versions += this.#relations[relation]!.version; // versions only grow
    const known = this.#operatorCache.get(action);
    if (known?.versions === versions) return known.operators;
    const operators: Operator[] = [];
    action.operators(this.#relations, (operator) => operators.push(operator));
    this.#operatorCache.set(action, { versions, operators });
    return operators;
  }
}
