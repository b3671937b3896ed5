/** Generated households as a source of games: an order without an end. */
import { Generator, GymError, generatorState, parseState } from '@vlgym/core';
import { Game } from '../engine/game.js';
import type { GameSource, LoadedGame, Naming } from '../games/source.js';
import { TASK_TYPES, type TaskType } from '../games/task.js';
import {
  GENERATED_SPLITS,
  type GeneratedSplit,
  generateHousehold,
  householdTexts,
  parseHouseholdId,
} from './household.js';

export interface GeneratedSourceOptions {
  readonly split?: string | undefined;
  readonly taskTypes?: readonly TaskType[] | undefined;
}

/** ALFWorld's names of the splits mean ours, too. */
const SPLIT_NAMES: Readonly<Record<string, GeneratedSplit>> = {
  ...Object.fromEntries(GENERATED_SPLITS.map((split) => [split, split])),
  valid_seen: 'seen',
  valid_unseen: 'unseen',
  eval_in_distribution: 'seen',
  eval_out_of_distribution: 'unseen',
};

export class GeneratedSource implements GameSource {
  readonly #split: GeneratedSplit;
  readonly #taskTypes: readonly TaskType[];
  #rng: Generator | undefined;

  /** @throws {GymError} `UNKNOWN_SPLIT` */
  constructor({ split = 'train', taskTypes = TASK_TYPES }: GeneratedSourceOptions) {
    const known = Object.hasOwn(SPLIT_NAMES, split) ? SPLIT_NAMES[split] : undefined;
    if (known === undefined) {
      throw new GymError(`There is no split "${split}".`, {
        code: 'UNKNOWN_SPLIT',
        value: split,
        expected: Object.keys(SPLIT_NAMES).join(', '),
      });
    }
    this.#split = known;
    this.#taskTypes = taskTypes;
  }

  seed(seed: number): void {
    this.#rng = new Generator(seed);
  }

  next(naming: Naming = {}): LoadedGame {
    this.#rng ??= new Generator();
    const taskType = this.#rng.choice(this.#taskTypes);
    const seed = this.#rng.integers(2 ** 31);
    return this.load(`${this.#split}/${taskType}/${seed}`, naming);
  }

  load(id: string, { nameSeed }: Naming = {}): LoadedGame {
    const choice = parseHouseholdId(id);
    const texts = householdTexts(generateHousehold(choice));
    const isShuffled = nameSeed !== undefined && choice.split === 'train';
    const game = new Game(texts, isShuffled ? { shuffleNames: new Generator(nameSeed) } : {});
    return { id, game, taskType: choice.taskType, split: choice.split };
  }

  save(): unknown {
    return this.#rng?.getState() ?? null;
  }

  restore(state: unknown): void {
    const saved = parseState(state, 'alfworld/generated', generatorState.nullable());
    const rng = saved === null ? undefined : new Generator(0);
    if (saved) rng?.setState(saved);
    this.#rng = rng;
  }
}
