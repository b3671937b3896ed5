/** Generated households as an endless source of games. */
import { drawInSplit, Generator, GymError, generatorState, parseState, type Split } from '@vlgym/core';
import { Game } from '../engine/game.js';
import type { GameSource, LoadedGame, Naming } from '../games/source.js';
import { TASK_TYPES, type TaskType } from '../games/task.js';
import { householdKey } from '../games/task-key.js';
import { generateHousehold, householdTexts, parseHouseholdId } from './household.js';
import { GENERATED_SPLITS, type GeneratedSplit, type Household } from './household-types.js';
import { type Density, floorPlanOf } from './layout.js';
import { TASKS } from './tables.generated.js';

export interface GeneratedSourceOptions {
  readonly split?: string | undefined;
  /** Select only households whose task keys belong to this split. */
  readonly contentSplit?: Split | undefined;
  readonly taskTypes?: readonly TaskType[] | undefined;
  /** Chances of the task types: all equal (default), or as in ALFWorld's training games. */
  readonly taskMix?: 'uniform' | 'published' | undefined;
  /** Default `light`. */
  readonly density?: Density | undefined;
}

/** ALFWorld's names of splits are accepted, too. */
const SPLIT_NAMES: Readonly<Record<string, GeneratedSplit>> = {
  ...Object.fromEntries(GENERATED_SPLITS.map((split) => [split, split])),
  valid_seen: 'seen',
  valid_unseen: 'unseen',
  eval_in_distribution: 'seen',
  eval_out_of_distribution: 'unseen',
};

export class GeneratedSource implements GameSource {
  readonly #split: GeneratedSplit;
  readonly #contentSplit: Split | undefined;
  readonly #taskTypes: readonly TaskType[];
  /** Chances of the task types; `undefined`: all equal. */
  readonly #chances: readonly number[] | undefined;
  readonly #density: Density;
  #rng: Generator | undefined;

  /** @throws {GymError} `UNKNOWN_SPLIT` */
  constructor(options: GeneratedSourceOptions) {
    const { split = 'train', contentSplit, taskTypes = TASK_TYPES, taskMix = 'uniform', density = 'light' } = options;
    const known = Object.hasOwn(SPLIT_NAMES, split) ? SPLIT_NAMES[split] : undefined;
    if (known === undefined) {
      throw new GymError(`Unknown split "${split}".`, {
        code: 'UNKNOWN_SPLIT',
        value: split,
        expected: Object.keys(SPLIT_NAMES).join(', '),
      });
    }
    this.#split = known;
    this.#contentSplit = contentSplit;
    this.#taskTypes = taskTypes;
    this.#chances = taskMix === 'published' ? publishedMix(taskTypes) : undefined;
    this.#density = density;
  }

  seed(seed: number): void {
    this.#rng = new Generator(seed);
  }

  /** @throws {EmptySplitError} */
  next(naming: Naming = {}): LoadedGame {
    this.#rng ??= new Generator();
    const rng = this.#rng;
    const draw = () => {
      const taskType = rng.choice(this.#taskTypes, this.#chances ? { p: this.#chances } : {});
      const seed = rng.integers(2 ** 31);
      return generateHousehold({ split: this.#split, taskType, seed, density: this.#density });
    };
    return loaded(drawInSplit(this.#contentSplit, draw, keyOf, MAX_HOUSEHOLDS), naming);
  }

  load(id: string, naming: Naming = {}): LoadedGame {
    return loaded(generateHousehold(parseHouseholdId(id)), naming);
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

/** The share of each task type among ALFWorld's training games of these types. */
export function publishedMix(taskTypes: readonly TaskType[]): number[] {
  const games = taskTypes.map((type) => Object.values(TASKS[type]!.rooms).reduce((sum, count) => sum + count, 0));
  const all = games.reduce((sum, count) => sum + count, 0);
  return games.map((count) => count / all);
}

/** Number of households to draw before a split counts as empty; each has hundreds of tasks. */
const MAX_HOUSEHOLDS = 2000;

const keyOf = ({ layout, target }: Household): string => householdKey(floorPlanOf(layout), target);

function loaded(household: Household, { nameSeed }: Naming): LoadedGame {
  const { id, split, target } = household;
  const isShuffled = nameSeed !== undefined && split === 'train';
  const texts = householdTexts(household);
  const game = new Game(texts, isShuffled ? { shuffleNames: new Generator(nameSeed) } : {});
  return { id, game, taskType: target.type, split, taskKey: keyOf(household) };
}
