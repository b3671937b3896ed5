/**
 * Lists the games in ALFWorld's data folders by the tests of the original, with a cache.
 *
 * Rules: `docs/specs/alfworld.md` 2.1 and 2.2. The original lists in the order of the file system. Ours sorts by
 * code point, so that a seed selects the same game on every machine (11.2).
 */
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { GameFileError } from '../errors.js';
import { GAME_FILE, parseGameFile, parseTrajectoryData, readText, TRAJECTORY_FILE } from './game-file.js';
import { type ListingCache, openListingCache } from './listing-cache.js';
import { isTaskType, TASK_TYPES, type TaskType } from './task.js';
import type { Rejection, Verdict } from './verdict.js';

/** ALFWorld's folders; `valid_train` is in the archives, but no configuration of the original uses it. */
export const SPLITS = ['train', 'valid_seen', 'valid_unseen', 'valid_train'] as const;
export type Split = (typeof SPLITS)[number];

/** Names of the splits, including those of the original's `train_eval`. */
const SPLIT_NAMES: Readonly<Record<string, Split>> = {
  ...Object.fromEntries(SPLITS.map((split) => [split, split])),
  eval_in_distribution: 'valid_seen',
  eval_out_of_distribution: 'valid_unseen',
  seen: 'valid_seen',
  unseen: 'valid_unseen',
};

/** Folder into which every official archive unpacks. */
const ARCHIVE_FOLDER = 'json_2.1.1';

export interface GameRecord {
  /** Path of the game's folder below the split, with `/`: `pick_…-Mug-None-Desk-301/trial_T2019…`. */
  readonly id: string;
  /** `game.tw-pddl`. */
  readonly file: string;
  readonly split: Split;
  readonly taskType: TaskType;
}

export interface GameList {
  /** Sorted by path. */
  readonly games: readonly GameRecord[];
  /** Folders with a `traj_data.json` but no playable text game, sorted by path. */
  readonly rejected: readonly Rejection[];
}

export interface ListOptions {
  /** Data folder; default: see `defaultDataFolder`. */
  readonly data?: string | undefined;
  /** Default `train`. */
  readonly split?: Split | keyof typeof SPLIT_NAMES | undefined;
  /** Task types to list; default: all six. */
  readonly taskTypes?: readonly TaskType[] | undefined;
  /** Keep the listing in the cache folder, so that the next one is fast; default true. */
  readonly cache?: boolean | undefined;
}

/** The data folder is missing, or has no playable game. */
export class NoGamesError extends GymError {
  constructor(
    readonly folder: string,
    message: string,
    hint = 'fetch the games with `vlgym alfworld download` or `downloadData()`, set VLGYM_ALFWORLD_DATA to their folder, or play generated households',
  ) {
    super(message, { code: 'NO_GAMES', value: folder, expected: `a folder with ${ARCHIVE_FOLDER}/<split>`, hint });
  }
}

/** `VLGYM_ALFWORLD_DATA`, `ALFWORLD_DATA`, or ALFWorld's default, `~/.cache/alfworld`. */
export function defaultDataFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return environment.VLGYM_ALFWORLD_DATA || environment.ALFWORLD_DATA || join(homedir(), '.cache', 'alfworld');
}

/** @throws {GymError} `UNKNOWN_SPLIT` */
export function readSplit(name: string): Split {
  const split = Object.hasOwn(SPLIT_NAMES, name) ? SPLIT_NAMES[name] : undefined;
  if (split) return split;
  throw new GymError(`Unknown split "${name}".`, {
    code: 'UNKNOWN_SPLIT',
    value: name,
    expected: Object.keys(SPLIT_NAMES).join(', '),
  });
}

/** Folder of a split, below `data/json_2.1.1` or `data` itself. @throws {NoGamesError} */
export function findSplitFolder(data: string, split: Split): string {
  const root = resolve(data);
  const candidates = [
    join(root, ARCHIVE_FOLDER, split),
    join(root, split),
    ...(basename(root) === split ? [root] : []),
  ];
  const found = candidates.find((folder) => existsSync(folder));
  if (found === undefined) throw new NoGamesError(root, `No games of the split "${split}" in ${root}.`);
  return found;
}

const LIST_GAMES_OPTIONS = names<ListOptions>({ data: 0, split: 0, taskTypes: 0, cache: 0 });

/**
 * Lists the playable games of one split.
 *
 * The first listing reads every file; later ones only compare sizes and times.
 *
 * @throws {NoGamesError} The folder does not exist. An empty list is not an error.
 */
export function listGames(options: ListOptions = {}): GameList {
  checkNames('options', options, LIST_GAMES_OPTIONS);
  const { data = defaultDataFolder(), split: name = 'train', taskTypes = TASK_TYPES, cache = true } = options;
  const split = readSplit(name);
  const folder = findSplitFolder(data, split);
  const known = cache ? openListingCache(folder) : undefined;
  const games: GameRecord[] = [];
  const rejected: Rejection[] = [];
  for (const trial of trialFolders(folder)) {
    const verdict = judge(trial, known);
    if ('reason' in verdict) rejected.push({ folder: trial, ...verdict });
    else if (!taskTypes.includes(verdict.taskType)) rejected.push({ folder: trial, reason: 'task-type' });
    else {
      const id = relative(folder, trial).split(sep).join('/');
      games.push({ id, file: join(trial, GAME_FILE), split, taskType: verdict.taskType });
    }
  }
  known?.save();
  return { games, rejected };
}

/** Folders with a `traj_data.json`, sorted by code point. Links are not followed, so there are no cycles. */
function trialFolders(root: string): string[] {
  const found: string[] = [];
  const visit = (folder: string, depth: number): void => {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return; // an unreadable folder counts as empty
    }
    if (entries.some((entry) => entry.name === TRAJECTORY_FILE)) found.push(folder);
    if (depth < 6) for (const entry of entries) if (entry.isDirectory()) visit(join(folder, entry.name), depth + 1);
  };
  visit(root, 0);
  return found.sort();
}

/** The tests of the original, in its order. */
function judge(folder: string, known: ListingCache | undefined): Verdict {
  // The original tests the whole path, so data below a folder with such a name counts as empty.
  if (folder.includes('movable')) return { reason: 'path-movable' };
  if (folder.includes('Sliced')) return { reason: 'path-sliced' };
  const trajectory = join(folder, TRAJECTORY_FILE);
  const game = join(folder, GAME_FILE);
  const stamp = `${stampOf(trajectory)} ${stampOf(game)}`;
  const kept = known?.find(folder, stamp);
  if (kept) return kept;
  const verdict = read(trajectory, game);
  known?.keep(folder, stamp, verdict);
  return verdict;
}

function read(trajectory: string, game: string): Verdict {
  try {
    const { taskType } = parseTrajectoryData(readText(trajectory), trajectory);
    if (!isTaskType(taskType)) return { reason: 'task-type' };
    if (!existsSync(game)) return { reason: 'no-game-file' };
    const { solvable } = parseGameFile(readText(game), game);
    if (solvable === undefined) return { reason: 'solvable-unknown' };
    return solvable ? { taskType } : { reason: 'unsolvable' };
  } catch (error) {
    if (error instanceof GameFileError) return { reason: 'broken', message: error.message };
    throw error;
  }
}

/** Size and modification time; `-` for a missing file. */
export function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.size}:${stat.mtimeMs}` : '-';
}
