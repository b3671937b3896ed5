/** Sources of games for environments: here, files of ALFWorld in the order of a seed. */
import { dirname, join, resolve } from 'node:path';
import { type Split as ContentSplit, drawInSplit, Generator, GymError } from '@vlgym/core';
import type { Game } from '../engine/game.js';
import type { RoomArea } from '../generator/layout.js';
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
import { GAME_FILE, type LoadOptions, loadGame, readText, taskKeyOfFile, taskTypeBeside } from './game-file.js';
import type { GrammarVersion, LogicTexts } from './grammar-version.js';
import { GameOrder, type GameOrderState } from './order.js';
import { TASK_TYPES, type TaskType } from './task.js';

/** A game ready to play. */
export interface LoadedGame {
  /** Pass it to `load` for the same game. */
  readonly id: string;
  readonly game: Game;
  readonly taskType: TaskType | undefined;
  readonly split: string;
  /** Identity of the task (`task-key.ts`). */
  readonly taskKey: string;
  /** Path of its file, if it has one. */
  readonly file?: string;
  /** Its rooms, if the furniture does not show them. */
  readonly areas?: readonly RoomArea[];
}

export interface Naming {
  /**
   * Seed of the order in which objects are numbered (`domain_randomization`); default: the order of their ids.
   * No effect outside the split `train`, as in the original (`docs/specs/alfworld.md`, section 7).
   */
  readonly nameSeed?: number | undefined;
}

/** Provides games, one per episode. */
export interface GameSource {
  /** Restarts the order. */
  seed(seed: number): void;
  next(naming?: Naming): LoadedGame;
  /** Loads a game by its id. */
  load(id: string, naming?: Naming): LoadedGame;
  /** The position in the order, as JSON data. */
  save(): unknown;
  /** Restores what `save` returned. @throws {GymError} The state is invalid; nothing changes. */
  restore(state: unknown): void;
}

export interface FileSourceOptions {
  readonly data?: string | undefined;
  readonly split?: string | undefined;
  /** Select only games whose task keys belong to this split. */
  readonly contentSplit?: ContentSplit | undefined;
  readonly taskTypes?: readonly TaskType[] | undefined;
  /** Paths of games or their folders, in order; instead of a split. */
  readonly games?: readonly string[] | undefined;
  readonly grammarVersion?: GrammarVersion | undefined;
  /** Folder with `alfred.pddl` and `alfred.twl2` of ALFWorld 0.5.0; default: `logic` in the data folder. */
  readonly logic?: string | undefined;
}

/** A game to load; for a game given by path, the task type may be known only after loading. */
export type SourceRecord = Omit<GameRecord, 'taskType'> & { readonly taskType: TaskType | undefined };

/** Compiled games, shared by all environments of a process, because those of a group play the same ones. */
const kept = new Map<string, Game>();
/** A game takes about a megabyte. */
const MAX_CACHED = 32;

/** Task keys by names and stamps of files; a few dozen bytes each. */
const keys = new Map<string, string>();

export class FileSource implements GameSource {
  readonly #options: FileSourceOptions;
  #records: readonly SourceRecord[] | undefined;
  #order: GameOrder | undefined;
  #logic: LogicTexts | undefined;

  /** Reads nothing before the first game is requested. */
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
    // From any position, the rest of the cycle and the next one contain every game.
    return drawInSplit(this.#options.contentSplit, deal, (record) => this.keyOf(record), 2 * records.length);
  }

  /** Task key of a game. @throws {GameFileError} Its file is not a game. */
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
    const record = this.records.find(({ id: known, file }) => known === id || file === id || dirname(file) === id);
    if (record) return record;
    throw new GymError(`Unknown game "${id}".`, {
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
      if (oldest !== undefined && kept.size >= MAX_CACHED) kept.delete(oldest);
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
        domain: readText(join(folder, 'alfred.pddl')),
        grammar: readText(join(folder, 'alfred.twl2')),
      };
    } catch {
      return undefined; // the game reports which files are missing
    }
    return this.#logic;
  }
}

/** A game given by path; what its folder does not tell is read from the game when it is loaded. */
function recordOf(path: string): SourceRecord {
  const file = path.endsWith(GAME_FILE) ? resolve(path) : join(resolve(path), GAME_FILE);
  return { id: path, file, split: splitIn(file), taskType: taskTypeBeside(file) };
}

function splitIn(file: string): Split {
  return (file.split(/[\\/]/).findLast((part) => ['valid_seen', 'valid_unseen', 'valid_train'].includes(part)) ??
    'train') as Split;
}
