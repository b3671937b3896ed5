/** Options of the environments, checked; a typing error must not change the task in silence. */
import {
  checkedInteger,
  checkedOneOf,
  checkedSplit,
  InvalidOptionError,
  type RenderMode,
  type Split,
  UnknownOptionError,
} from '@vlgym/core';
import { GRAMMAR_VERSIONS, type GrammarVersion } from '../games/grammar-version.js';
import type { FileSourceOptions } from '../games/source.js';
import { TASK_TYPES, type TaskType } from '../games/task.js';
import { DIALOGUE_STYLES, type DialogueStyle, MATCHINGS, type Matching } from './dialogue.js';
import { OBSERVATION_STYLES, type ObservationStyle } from './observation.js';
import type { RewardOption } from './reward.js';
import { OBSERVATION_KINDS, type ObservationKind } from './views.js';

export const EXPERTS = ['planner', 'hand-coded'] as const;
export type ExpertName = (typeof EXPERTS)[number];

/** What both environments know. */
export interface HouseholdOptions {
  /** `ansi` renders the last text and the task for terminals, `rgb_array` the first-person picture. */
  readonly renderMode?: RenderMode | undefined;
  /** What is observed: `text` (default), `image` or `both`. */
  readonly observation?: ObservationKind | undefined;
  /** Pixels of pictures, 1 to 8192; default 300 x 300. */
  readonly obsWidth?: number | undefined;
  readonly obsHeight?: number | undefined;
  /** Only these kinds of task, by name or by ALFWorld's number 1 to 6; default: all six. */
  readonly taskTypes?: readonly (TaskType | number)[] | undefined;
  /** Steps, admissible or not, after which an episode is truncated; default 50, as published. */
  readonly maxSteps?: number | undefined;
  readonly reward?: RewardOption | undefined;
  /** Default `raw`. */
  readonly observationStyle?: ObservationStyle | undefined;
  /** How the environment speaks with a model; default `rl4vlm-v1`. */
  readonly dialogue?: DialogueStyle | undefined;
  /** The prompt asks for the action alone; default false. */
  readonly actionOnly?: boolean | undefined;
  /** How an answer is matched with admissible commands; default `whole`. */
  readonly matching?: Matching | undefined;
  /** Whose advice `oracle` and `expertPlan` give; default `planner`. */
  readonly expert?: ExpertName | undefined;
  /**
   * Number objects in a new order in every episode (`domain_randomization` of the original); default false. Only games
   * of the split `train` are, as in the original, so that evaluations compare.
   */
  readonly domainRandomization?: boolean | undefined;
}

export const SPLIT_SCHEMES = ['published', 'content'] as const;

/** Which games there are, by the names of ALFWorld's data, or by what they are about. */
export interface SplitSchemeOption {
  /**
   * What `split` divides by. `published` (default): the data's own splits. `content`: `split: 'train'` and
   * `split: 'test'` divide the published training games, or the list in `games`, by their task keys, so that no room
   * with the same goal is in both.
   */
  readonly splitScheme?: (typeof SPLIT_SCHEMES)[number] | undefined;
}

/** Games of ALFWorld's files. */
export interface FileGameOptions extends SplitSchemeOption {
  /** Folder of the data; default: `VLGYM_ALFWORLD_DATA`, `ALFWORLD_DATA`, `~/.cache/alfworld`. */
  readonly data?: string | undefined;
  /** `train`, `valid_seen`, `valid_unseen`, or the original's `eval_in_distribution`, `eval_out_of_distribution`. */
  readonly split?: string | undefined;
  /** Exactly these game files, instead of a split. */
  readonly games?: readonly string[] | undefined;
  /** In whose words old games speak; default: their own. */
  readonly grammarVersion?: GrammarVersion | undefined;
  /** Folder of `alfred.pddl` and `alfred.twl2` of ALFWorld 0.5.0, for `grammarVersion: 'v0.5.0'`. */
  readonly logic?: string | undefined;
}

const NAMES = [
  ...['renderMode', 'taskTypes', 'maxSteps', 'reward', 'observationStyle', 'dialogue', 'actionOnly', 'matching'],
  ...['expert', 'domainRandomization', 'data', 'split', 'splitScheme', 'games', 'grammarVersion', 'logic'],
  ...['python', 'timeout', 'startTimeout', 'width', 'height'],
  ...['observation', 'obsWidth', 'obsHeight'],
];
const CHOICES = {
  renderMode: ['ansi', 'rgb_array'],
  observation: OBSERVATION_KINDS,
  observationStyle: OBSERVATION_STYLES,
  dialogue: DIALOGUE_STYLES,
  matching: MATCHINGS,
  expert: EXPERTS,
  grammarVersion: GRAMMAR_VERSIONS,
  splitScheme: SPLIT_SCHEMES,
} as const;
/** Options that are whole numbers from 1, and their largest values. */
const WHOLE_NUMBERS = { obsWidth: 8192, obsHeight: 8192, maxSteps: Number.MAX_SAFE_INTEGER } as const;

const SWITCHES = ['actionOnly', 'domainRandomization'] as const;
const PATHS = ['data', 'logic'] as const;

/** @throws {UnknownOptionError | InvalidOptionError} */
export function checkOptions(options: HouseholdOptions & FileGameOptions, known: readonly string[]): void {
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownOption(name, known);
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES];
    if (value !== undefined) checkedOneOf(name, value, allowed);
  }
  for (const [name, most] of Object.entries(WHOLE_NUMBERS)) {
    const value = options[name as keyof typeof WHOLE_NUMBERS];
    if (value !== undefined) checkedInteger(name, value, 1, most);
  }
  for (const name of SWITCHES) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean') throw new InvalidOptionError(name, value, 'true or false');
  }
  for (const name of PATHS) {
    const value: unknown = options[name];
    if (value !== undefined && !isPath(value)) throw new InvalidOptionError(name, value, 'path of a folder');
  }
  const games: unknown = options.games;
  if (games !== undefined && !(Array.isArray(games) && games.every(isPath))) {
    throw new InvalidOptionError('games', games, 'a list of paths of game files or their folders');
  }
}

/** The published split and the side by content that the options name. @throws {InvalidOptionError} */
export function checkedSplits({ split, splitScheme = 'published' }: Pick<FileGameOptions, 'split' | 'splitScheme'>): {
  readonly split: string | undefined;
  readonly contentSplit: Split | undefined;
} {
  return splitScheme === 'content'
    ? { split: undefined, contentSplit: checkedSplit(split) }
    : { split, contentSplit: undefined };
}

/** What a source of files takes of the options. @throws {InvalidOptionError} */
export function fileOptions(options: FileGameOptions & Pick<HouseholdOptions, 'taskTypes'>): FileSourceOptions {
  const { data, games, grammarVersion, logic } = options;
  const taskTypes = checkedTaskTypes(options.taskTypes);
  return { data, games, grammarVersion, logic, taskTypes, ...checkedSplits(options) };
}

/** Generated households speak in words of their own. @throws {InvalidOptionError} An option is for files only. */
export function refuseFileOptions({ grammarVersion, logic }: FileGameOptions): void {
  const expected = 'nothing for generated households; it is for games of files, with `data` or `games`';
  if (grammarVersion !== undefined && grammarVersion !== 'embedded') {
    throw new InvalidOptionError('grammarVersion', grammarVersion, expected);
  }
  if (logic !== undefined) throw new InvalidOptionError('logic', logic, expected);
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function unknownOption(name: string, known: readonly string[]): UnknownOptionError {
  const elsewhere = NAMES.includes(name) ? 'another environment of this package has it' : undefined;
  return new UnknownOptionError(name, known, elsewhere);
}

/** Names of task types; numbers that there are not are left out, as in the original. */
export function checkedTaskTypes(given: HouseholdOptions['taskTypes']): readonly TaskType[] {
  if (given === undefined) return TASK_TYPES;
  const expected = `some of ${TASK_TYPES.map((type, index) => `${index + 1} ${type}`).join(', ')}`;
  if (!Array.isArray(given)) throw new InvalidOptionError('taskTypes', given, expected);
  const wrong = given.find((type) => typeof type !== 'number' && !TASK_TYPES.includes(type));
  if (wrong !== undefined) throw new InvalidOptionError('taskTypes', wrong, expected);
  const types = TASK_TYPES.filter((type, index) => given.includes(type) || given.includes(index + 1));
  if (types.length === 0) throw new InvalidOptionError('taskTypes', given, expected);
  return types;
}
