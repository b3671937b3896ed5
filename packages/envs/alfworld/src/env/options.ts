/** Options of the environments and their checks: a typo must not silently change the task. */
import { checkedSplit, InvalidOptionError, option, parseOptions, type RenderMode, type Split } from '@vlgym/core';
import { z } from 'zod';
import { GRAMMAR_VERSIONS, type GrammarVersion } from '../games/grammar-version.js';
import type { FileSourceOptions } from '../games/source.js';
import { TASK_TYPES, type TaskType } from '../games/task.js';
import { DENSITIES, type Density } from '../generator/layout.js';
import { DIALOGUE_STYLES, type DialogueStyle, MATCHINGS, type Matching } from './dialogue.js';
import { OBSERVATION_STYLES, type ObservationStyle } from './observation.js';
import type { RewardOption } from './reward.js';
import { OBSERVATION_KINDS, type ObservationKind } from './views.js';

const TASK_MIXES = ['uniform', 'published'] as const;
export type TaskMix = (typeof TASK_MIXES)[number];

const EXPERTS = ['planner', 'hand-coded'] as const;
export type ExpertName = (typeof EXPERTS)[number];

/** Options that all environments share. */
export interface HouseholdOptions {
  /** `ansi` renders the last text and the task for terminals, `rgb_array` the first-person picture. */
  readonly renderMode?: RenderMode | undefined;
  /** Kind of observation: `text` (default), `image` or `both`. */
  readonly observation?: ObservationKind | undefined;
  /** Pixels of pictures, 1 to 8192; default 300 x 300. */
  readonly obsWidth?: number | undefined;
  readonly obsHeight?: number | undefined;
  /** Task types to play, by name or by ALFWorld's number 1 to 6; default: all six. */
  readonly taskTypes?: readonly (TaskType | number)[] | undefined;
  /**
   * How generated households choose among the task types: equally often (default), or as often as ALFWorld's 3,553 training
   * games have them (`published`: 22, 9, 18, 13, 15 and 23 %). Game files have their own mix.
   */
  readonly taskMix?: TaskMix | undefined;
  /**
   * How full generated households are: at most three objects of a class (`light`, default), or as many receptacles and
   * objects as ALFWorld's rooms have (`published`).
   */
  readonly density?: Density | undefined;
  /** Steps, admissible or not, after which an episode is truncated; default 50, as published. */
  readonly maxSteps?: number | undefined;
  readonly reward?: RewardOption | undefined;
  /** Default `raw`. */
  readonly observationStyle?: ObservationStyle | undefined;
  /** Style of prompts and answers; default `rl4vlm-v1`. */
  readonly dialogue?: DialogueStyle | undefined;
  /** Ask for the action without thoughts; default false. */
  readonly actionOnly?: boolean | undefined;
  /** How an answer is matched with admissible commands; default `whole`. */
  readonly matching?: Matching | undefined;
  /** Expert behind `oracle` and `expertPlan`; default `planner`. */
  readonly expert?: ExpertName | undefined;
  /**
   * Number objects in a new order in every episode (`domain_randomization` of the original); default false. As in the
   * original it applies to the split `train` only, so that evaluations stay comparable.
   */
  readonly domainRandomization?: boolean | undefined;
}

export const SPLIT_SCHEMES = ['published', 'content'] as const;

/** Splits as in ALFWorld's data, or by content. */
export interface SplitSchemeOption {
  /**
   * Meaning of `split`. `published` (default): the splits of the data. `content`: `split: 'train'` and `split: 'test'`
   * divide the published training games, or the list in `games`, by their task keys, so that no room with the same goal
   * is in both.
   */
  readonly splitScheme?: (typeof SPLIT_SCHEMES)[number] | undefined;
}

/** Options for games from ALFWorld's files. */
export interface FileGameOptions extends SplitSchemeOption {
  /** Folder of the data; default: `VLGYM_ALFWORLD_DATA`, `ALFWORLD_DATA`, `~/.cache/alfworld`. */
  readonly data?: string | undefined;
  /** `train`, `valid_seen`, `valid_unseen`, or the original's `eval_in_distribution`, `eval_out_of_distribution`. */
  readonly split?: string | undefined;
  /** Paths of game files to play instead of a split. */
  readonly games?: readonly string[] | undefined;
  /** Grammar that words the games; default: that in their file. */
  readonly grammarVersion?: GrammarVersion | undefined;
  /** Folder of `alfred.pddl` and `alfred.twl2` of ALFWorld 0.5.0, for `grammarVersion: 'v0.5.0'`. */
  readonly logic?: string | undefined;
}

const HOUSEHOLDS = 'a list of one or more households, each as a plan or as `household(plan)` returns it';
const GAMES = 'a list of paths of game files or their folders';
const flag = option.boolean().optional();
const side = option.integer(1, 8192).optional();

/** Options of the Gym layer, shared with the environments in Python. */
export const commonShape = {
  renderMode: option.renderMode(['ansi', 'rgb_array']).optional(),
  maxSteps: option.integer(1).optional(),
  observationStyle: option.oneOf(OBSERVATION_STYLES).optional(),
  dialogue: option.oneOf(DIALOGUE_STYLES).optional(),
  actionOnly: flag,
  matching: option.oneOf(MATCHINGS).optional(),
  // Checked by `checkedTaskTypes` and `rewardRule`.
  taskTypes: z.unknown().optional(),
  reward: z.unknown().optional(),
  data: option.path('path of a folder').optional(),
  split: option.path('name of a split').optional(),
  splitScheme: option.oneOf(SPLIT_SCHEMES).optional(),
  games: z.array(option.path(GAMES), { error: GAMES }).readonly().optional(),
};

/** All options of the native environments. */
const HOUSEHOLD_OPTIONS = z.strictObject({
  ...commonShape,
  observation: option.oneOf(OBSERVATION_KINDS).optional(),
  obsWidth: side,
  obsHeight: side,
  expert: option.oneOf(EXPERTS).optional(),
  domainRandomization: flag,
  taskMix: option.oneOf(TASK_MIXES).optional(),
  density: option.oneOf(DENSITIES).optional(),
  grammarVersion: option.oneOf(GRAMMAR_VERSIONS).optional(),
  logic: option.path('path of a folder').optional(),
} satisfies Record<keyof HouseholdOptions | keyof FileGameOptions, z.ZodType>);

/** Options of `vlgym/ALFWorld-…`; `household` checks each entry. */
export const GENERATED_OPTIONS = HOUSEHOLD_OPTIONS.extend({
  households: z.array(z.unknown(), { error: HOUSEHOLDS }).min(1, { error: HOUSEHOLDS }).readonly().optional(),
});

/** Options of `reset`: the id of a game (`info.game`). */
export const EPISODE_OPTIONS = z.strictObject({ game: z.string({ error: 'the id of a game' }).optional() });

/** Options of the environments in Python, for the hint. */
const ELSEWHERE = [
  'python',
  'timeout',
  'startTimeout',
  'longestCall',
  'memoryLimit',
  'shareProcess',
  'width',
  'height',
];

/** @throws {UnknownOptionError | InvalidOptionError} */
export function checkOptions(options: unknown, schema: z.ZodObject = HOUSEHOLD_OPTIONS): void {
  parseOptions(options, schema, { elsewhere: [...Object.keys(GENERATED_OPTIONS.shape), ...ELSEWHERE] });
}

/** The published split and the content split that the options name. @throws {InvalidOptionError} */
export function checkedSplits({ split, splitScheme = 'published' }: Pick<FileGameOptions, 'split' | 'splitScheme'>): {
  readonly split: string | undefined;
  readonly contentSplit: Split | undefined;
} {
  return splitScheme === 'content'
    ? { split: undefined, contentSplit: checkedSplit(split) }
    : { split, contentSplit: undefined };
}

/** Options for a source of game files. @throws {InvalidOptionError} */
export function fileOptions(
  options: FileGameOptions & Pick<HouseholdOptions, 'taskTypes' | 'taskMix' | 'density'>,
): FileSourceOptions {
  for (const name of ['taskMix', 'density'] as const) {
    const given = options[name];
    if (given === undefined) continue;
    throw new InvalidOptionError(name, given, 'no value for games from files; the option is for generated households');
  }
  const { data, games, grammarVersion, logic } = options;
  const taskTypes = checkedTaskTypes(options.taskTypes);
  return { data, games, grammarVersion, logic, taskTypes, ...checkedSplits(options) };
}

/** Generated households have a fixed grammar. @throws {InvalidOptionError} An option is for files only. */
export function refuseFileOptions({ grammarVersion, logic }: FileGameOptions): void {
  const expected = 'nothing for generated households; it is for games of files, with `data` or `games`';
  if (grammarVersion !== undefined && grammarVersion !== 'embedded') {
    throw new InvalidOptionError('grammarVersion', grammarVersion, expected);
  }
  if (logic !== undefined) throw new InvalidOptionError('logic', logic, expected);
}

/** Custom households determine what these options would choose. @throws {InvalidOptionError} */
export function refuseChoices(
  options: FileGameOptions & Pick<HouseholdOptions, 'taskTypes' | 'taskMix' | 'density'>,
): void {
  const names = ['data', 'games', 'taskTypes', 'taskMix', 'density'] as const;
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined)
    throw new InvalidOptionError(given, options[given], 'no value with `households`', 'leave one of the two out');
  if (options.split !== undefined && options.splitScheme !== 'content') {
    const hint = "give `splitScheme: 'content'` as well to divide the households by their tasks";
    throw new InvalidOptionError('split', options.split, 'no value with `households`', hint);
  }
}

/** Names of task types; unknown numbers are ignored, as in the original. */
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
