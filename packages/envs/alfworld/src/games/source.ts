/** Where an environment gets its games from: files of ALFWorld in the order of a seed. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Split as ContentSplit, drawInSplit, Generator, GymError } from '@vlgym/core';
import type { Game } from '../engine/game.js';
import {
  defaultDataFolder,
  findSplitFolder,
  type GameRecord,
  listGames,
  NoGamesError,
  readSplit,
  type Split,
  stampOf,
} from './collection.js';
import { GAME_FILE, type LoadOptions, loadGame, taskKeyOfFile, taskTypeBeside } from './game-file.js';
import type { GrammarVersion, LogicTexts } from './grammar-version.js';
import { GameOrder, type GameOrderState } from './order.js';
import { TASK_TYPES, type TaskType } from './task.js';

/** A game that is ready to be played. */
export interface LoadedGame {
  /** What `load` takes to give the same game again. */
  readonly id: string;
  readonly game: Game;
  readonly taskType: TaskType | undefined;
  readonly split: string;
  /** What it is about (`task-key.ts`). */
  readonly taskKey: string;
  /** Path of its file, where it has one. */
  readonly file?: string;
}

export interface Naming {
  /**
   * Display names are numbered in an order drawn from this seed (`domain_randomization`); default: that of the ids.
   * Without effect outside of the split `train`, as in the original (`docs/specs/alfworld.md`, section 7).
   */
  readonly nameSeed?: number | undefined;
}

/** Deals games, one per episode. */
export interface GameSource {
  /** Starts the order anew. */
  seed(seed: number): void;
  next(naming?: Naming): LoadedGame;
  /** A game by its id. */
  load(id: string, naming?: Naming): LoadedGame;
  /** The place in the order, as JSON data. */
  save(): unknown;
  /** Takes back what `save` returned. @throws {GymError} It did not, and nothing was changed. */
  restore(state: unknown): void;
}

export interface FileSourceOptions {
  readonly data?: string | undefined;
  readonly split?: string | undefined;
  /** Deal only games whose task keys are of this side. */
  readonly contentSplit?: ContentSplit | undefined;
  readonly taskTypes?: readonly TaskType[] | undefined;
  /** Exactly these games, by path of the file or its folder, in this order; instead of a split. */
  readonly games?: readonly string[] | undefined;
  readonly grammarVersion?: GrammarVersion | undefined;
  /** Folder with `alfred.pddl` and `alfred.twl2` of ALFWorld 0.5.0; default: `logic` in the data folder. */
  readonly logic?: string | undefined;
}

/** A game to load; of one named by its path, the kind of task may only be known from the game itself. */
export type SourceRecord = Omit<GameRecord, 'taskType'> & { readonly taskType: TaskType | undefined };

/** Compiled games, shared by all environments of a process: those of a group play the same ones. */
const kept = new Map<string, Game>();
/** One holds about a megabyte. */
const MOST_KEPT = 32;

/** Task keys by the files' names and stamps: a few dozen bytes each. */
const keys = new Map<string, string>();

export class FileSource implements GameSource {
  readonly #options: FileSourceOptions;
  #records: readonly SourceRecord[] | undefined;
  #order: GameOrder | undefined;
  #logic: LogicTexts | undefined;

  /** Nothing is read before the first game is asked for. */
  constructor(options: FileSourceOptions) {
    this.#options = options;
  }

  get records(): readonly SourceRecord[] {
    this.#records ??= this.#list();
    return this.#records;
  }

  seed(seed: number): void {
    this.#order = new GameOrder(this.records.length, seed);
  }

  next(naming: Naming = {}): LoadedGame {
    return this.#loadRecord(this.deal(), naming);
  }

  load(id: string, naming: Naming = {}): LoadedGame {
    return this.#loadRecord(this.find(id), naming);
  }

  /** The next game of the order, not loaded. @throws {EmptySplitError} */
  deal(): SourceRecord {
    this.#order ??= new GameOrder(this.records.length);
    const order = this.#order;
    const { records } = this;
    const deal = () => records[order.next()]!;
    // from the middle of a cycle, the rest of it and the next hold every game
    return drawInSplit(this.#options.contentSplit, deal, (record) => this.keyOf(record), 2 * records.length);
  }

  /** What a game is about. @throws {GameFileError} Its file is not one of a game. */
  keyOf({ file }: SourceRecord): string {
    const stamped = `${file}\n${stampOf(file)}`;
    let key = keys.get(stamped);
    if (key === undefined) {
      key = taskKeyOfFile(file);
      keys.set(stamped, key);
    }
    return key;
  }

  /** A game by its id or its path, not loaded. @throws {GymError} `UNKNOWN_GAME` */
  find(id: string): SourceRecord {
    const record = this.records.find((each) => each.id === id || each.file === id || dirname(each.file) === id);
    if (record) return record;
    throw new GymError(`There is no game "${id}".`, {
      code: 'UNKNOWN_GAME',
      value: id,
      expected: `one of ${this.records.length} games, e.g. "${this.records[0]?.id}"`,
    });
  }

  save(): GameOrderState | null {
    return this.#order?.getState() ?? null;
  }

  restore(state: unknown): void {
    const order = state === null ? undefined : new GameOrder(this.records.length);
    order?.setState(state);
    this.#order = order;
  }

  #list(): readonly SourceRecord[] {
    const { games, data, split = 'train', taskTypes = TASK_TYPES } = this.#options;
    if (games) {
      if (games.length === 0) throw new NoGamesError('', 'The list of games is empty.', 'name at least one file');
      return games.map(recordOf);
    }
    const { games: found, rejected } = listGames({ split, taskTypes, ...(data === undefined ? {} : { data }) });
    if (found.length > 0) return found;
    const folder = findSplitFolder(data ?? defaultDataFolder(), readSplit(split));
    const reasons = [...new Set(rejected.map(({ reason }) => reason))].join(', ');
    throw new NoGamesError(
      folder,
      `None of ${rejected.length} games in ${folder} can be played${reasons && ` (${reasons})`}.`,
    );
  }

  #loadRecord(record: SourceRecord, { nameSeed }: Naming): LoadedGame {
    const { id, file, split, taskType } = record;
    const isShuffled = nameSeed !== undefined && split === 'train';
    const game = isShuffled ? this.#compiled(file, { shuffleNames: new Generator(nameSeed) }) : this.#shared(file);
    return { id, file, split, taskType: taskType ?? game.task?.type, taskKey: this.keyOf(record), game };
  }

  #shared(file: string): Game {
    const { grammarVersion = 'embedded' } = this.#options;
    const key = [file, stampOf(file), grammarVersion, grammarVersion === 'v0.5.0' ? this.#logicFolder : ''].join('\n');
    let game = kept.get(key);
    if (game === undefined) {
      game = this.#compiled(file, {});
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest);
      kept.set(key, game);
    }
    return game;
  }

  #compiled(file: string, options: LoadOptions): Game {
    const { grammarVersion = 'embedded' } = this.#options;
    const logic = grammarVersion === 'v0.5.0' ? this.#logicTexts() : undefined;
    return loadGame(file, { ...options, grammarVersion, ...(logic && { logic }) });
  }

  get #logicFolder(): string {
    return this.#options.logic ?? join(this.#options.data ?? defaultDataFolder(), 'logic');
  }

  #logicTexts(): LogicTexts | undefined {
    const folder = this.#logicFolder;
    try {
      this.#logic ??= {
        domain: readFileSync(join(folder, 'alfred.pddl'), 'utf8'),
        grammar: readFileSync(join(folder, 'alfred.twl2'), 'utf8'),
      };
    } catch {
      return undefined; // the game says which files are missing
    }
    return this.#logic;
  }
}

/** A game named by its path; what its folder does not say is read from the game when it is loaded. */
function recordOf(path: string): SourceRecord {
  const file = path.endsWith(GAME_FILE) ? resolve(path) : join(resolve(path), GAME_FILE);
  return { id: path, file, split: splitIn(file), taskType: taskTypeBeside(file) };
}

function splitIn(file: string): Split {
  return (file.split(/[\\/]/).findLast((part) => ['valid_seen', 'valid_unseen', 'valid_train'].includes(part)) ??
    'train') as Split;
}
