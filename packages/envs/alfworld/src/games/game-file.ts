/**
 * Reads and checks `game.tw-pddl` and the `traj_data.json` next to it.
 *
 * Formats: `docs/specs/alfworld.md` 2.3 and 2.4. Unknown keys are ignored; a missing or wrong value is an
 * error that names the file.
 */
import { basename, dirname, join } from 'node:path';
import type { Generator } from '@vlgym/core';
import { NotReadableFileError, readRegularBytesSync } from '@vlgym/core/internal';
import { Game, type GameTexts, problemOf } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { GameFileError } from '../errors.js';
import { type Refusal, whyUnsolvable } from '../experts/why-unsolvable.js';
import { type GrammarVersion, type LogicTexts, renderAgain } from './grammar-version.js';
import { isTaskType, type TaskType } from './task.js';
import { problemKey } from './task-key.js';

export const GAME_FILE = 'game.tw-pddl';
export const TRAJECTORY_FILE = 'traj_data.json';

/** In characters; the largest game has 100 kB. */
const MAX_FILE_LENGTH = 64 * 2 ** 20;

/** A `game.tw-pddl` as data. */
export interface GameFile {
  readonly texts: GameTexts;
  /** Absent if the file does not say. */
  readonly solvable?: boolean;
  /** Commands of the expert that made the file; their names may differ from those of the game. */
  readonly walkthrough?: readonly string[];
}

/** The fields of a `traj_data.json` that are used. */
export interface TrajectoryData {
  /** As written; the seventh type of ALFRED, with movable receptacles, is not a `TaskType`. */
  readonly taskType: string;
  readonly objectTarget: string;
  readonly parentTarget: string;
  readonly toggleTarget: string;
  readonly objectSliced: boolean;
  readonly floorPlan: string;
}

/** @throws {GameFileError} The file is not a JSON object, or a text is missing. */
export function parseGameFile(json: string, file?: string): GameFile {
  return named(file, () => {
    const data = jsonObject(json, GAME_FILE);
    const text = (key: string): string => {
      const value = data[key];
      if (typeof value === 'string') return value;
      throw new GameFileError(`Missing text "${key}".`, {
        value,
        expected: `a ${GAME_FILE} with pddl_domain, pddl_problem and grammar`,
      });
    };
    const { solvable, walkthrough } = data;
    return {
      texts: { domain: text('pddl_domain'), problem: text('pddl_problem'), grammar: text('grammar') },
      ...(typeof solvable === 'boolean' ? { solvable } : {}),
      ...(Array.isArray(walkthrough) ? { walkthrough: walkthrough.map(String) } : {}),
    };
  });
}

/** @throws {GameFileError} The file is not a JSON object, or has no task type. */
export function parseTrajectoryData(json: string, file?: string): TrajectoryData {
  return named(file, () => {
    const data = jsonObject(json, TRAJECTORY_FILE);
    const { task_type: taskType } = data;
    if (typeof taskType !== 'string')
      throw new GameFileError('Missing task_type.', { value: taskType, expected: `a ${TRAJECTORY_FILE} of ALFRED` });
    const parameters = objectOr(data.pddl_params);
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      taskType,
      objectTarget: text(parameters.object_target),
      parentTarget: text(parameters.parent_target),
      toggleTarget: text(parameters.toggle_target),
      objectSliced: parameters.object_sliced === true,
      floorPlan: text(objectOr(data.scene).floor_plan),
    };
  });
}

export interface LoadOptions {
  /** Grammar that words the game; default: that in the file. */
  readonly grammarVersion?: GrammarVersion | undefined;
  /** Files of ALFWorld 0.5.0, for `v0.5.0`. */
  readonly logic?: LogicTexts | undefined;
  /** Load a game that is marked as unsolvable; default false. */
  readonly allowUnsolvable?: boolean | undefined;
  /** Draws the order in which objects are numbered (`domain_randomization`); default: the order of their ids. */
  readonly shuffleNames?: Generator | undefined;
}

/**
 * Loads and compiles one game.
 *
 * @param path  A `game.tw-pddl`, or the folder that holds it.
 * @throws {GameFileError}  `INVALID_GAME`, `UNSUPPORTED_PDDL` or `INVALID_GRAMMAR`, with the file; `UNSOLVABLE_GAME`
 *                          for a file marked `solvable: false`, which the original refuses as well.
 */
export function loadGame(path: string, options: LoadOptions = {}): Game {
  const file = basename(path) === GAME_FILE ? path : join(path, GAME_FILE);
  return compileGame(parseGameFile(readText(file), file), { ...options, file });
}

export function compileGame(
  { texts, solvable }: GameFile,
  {
    grammarVersion = 'embedded',
    logic,
    allowUnsolvable = false,
    shuffleNames,
    file,
  }: LoadOptions & { readonly file?: string | undefined } = {},
): Game {
  return named(file, () => {
    if (solvable === false && !allowUnsolvable) {
      throw unsolvable(texts);
    }
    return new Game(renderAgain(texts, grammarVersion, logic), shuffleNames ? { shuffleNames } : {});
  });
}

/** Says what the task lacks, as far as the facts at the start tell. */
function unsolvable(texts: GameTexts): GameFileError {
  let why: Refusal | undefined;
  try {
    why = whyUnsolvable(new Play(new Game(texts)));
  } catch {
    // texts that are no game have no reason to give
  }
  const reason = why ? `: ${why.reason}` : ', and its facts do not say why';
  return new GameFileError(`The game is marked as unsolvable${reason}.`, {
    code: 'UNSOLVABLE_GAME',
    value: why?.refused ?? false,
    expected: why ? 'a game with everything that its task needs' : 'a game with `solvable: true`',
    hint: `${why ? `${why.hint}, ` : ''}choose another game, or load it with \`allowUnsolvable: true\`; it can then never be won`,
  });
}

/**
 * Reads the task key of a game without compiling it.
 *
 * @throws {GameFileError} Like `loadGame`, if the texts are not PDDL.
 */
export function taskKeyOfFile(file: string): string {
  const { texts } = parseGameFile(readText(file), file);
  return named(file, () => problemKey(problemOf(texts), trajectoryBeside(file)?.floorPlan ?? ''));
}

/** Task type from the `traj_data.json` next to a game, if there is one. */
export function taskTypeBeside(gameFile: string): TaskType | undefined {
  const taskType = trajectoryBeside(gameFile)?.taskType;
  return isTaskType(taskType) ? taskType : undefined;
}

function trajectoryBeside(gameFile: string): TrajectoryData | undefined {
  const file = join(dirname(gameFile), TRAJECTORY_FILE);
  try {
    return parseTrajectoryData(readText(file), file);
  } catch {
    return undefined;
  }
}

/** @throws {GameFileError} The file is missing, unreadable, or too large. */
export function readText(file: string): string {
  let text: string;
  try {
    text = Buffer.from(readRegularBytesSync(file, 4 * MAX_FILE_LENGTH)).toString();
  } catch (cause) {
    const reason =
      cause instanceof NotReadableFileError
        ? cause.problem
        : ((cause as NodeJS.ErrnoException).code ?? 'unknown reason');
    throw new GameFileError(`It cannot be read (${reason}).`, { file, cause, hint: 'check the path of the game' });
  }
  if (text.length > MAX_FILE_LENGTH)
    throw new GameFileError(`It is larger than ${MAX_FILE_LENGTH} characters.`, { file });
  return text;
}

function jsonObject(json: string, kind: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new GameFileError('It is not JSON.', {
      value: json.slice(0, 80),
      expected: `a ${kind}`,
      hint: 'the file may be truncated: fetch it again',
      cause,
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GameFileError('It is not a JSON object.', { value: json.slice(0, 80), expected: `a ${kind}` });
  }
  return value as Record<string, unknown>;
}

function objectOr(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Runs `work` and adds `file` to its errors. */
function named<T>(file: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof GameFileError && file !== undefined ? error.in(file) : error;
  }
}
