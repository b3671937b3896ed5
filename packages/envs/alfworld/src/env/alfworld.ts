/** The two environments of this package: ALFWorld as published, and ours, which needs no data. */

import { FileSource } from '../games/source.js';
import { GeneratedSource } from '../generator/source.js';
import { HouseholdEnv } from './household-env.js';
import { checkedTaskTypes, checkOptions, type FileGameOptions, type HouseholdOptions } from './options.js';

export interface AlfredTextOptions extends HouseholdOptions, FileGameOptions {}

export interface AlfworldOptions extends HouseholdOptions, FileGameOptions {
  /** `train` (default), `seen` or `unseen`; with `data` or `games`, a split of the files. */
  readonly split?: string | undefined;
}

const SHARED = [
  ...['renderMode', 'taskTypes', 'maxSteps', 'reward', 'observationStyle', 'dialogue', 'actionOnly', 'matching'],
  ...['expert', 'domainRandomization'],
];
const FILES = ['data', 'split', 'games', 'grammarVersion', 'logic'];

/**
 * `alfworld/AlfredTWEnv-v0`: the text engine of ALFWorld on its own game files. Reward 1 for winning.
 *
 * Nothing is read before the first `reset`, which throws `NO_GAMES` where there is no data.
 */
export class AlfredTextEnv extends HouseholdEnv {
  constructor(options: AlfredTextOptions = {}) {
    checkOptions(options, [...SHARED, ...FILES]);
    super({ ...options, source: fileSource(options), defaultReward: 'sparse' });
  }
}

/**
 * `vlgym/ALFWorld-v1`: households made by this package, or those of files where `data` or `games` is given. Reward of
 * the papers: 50·won + subgoal - illegal.
 */
export class AlfworldEnv extends HouseholdEnv {
  constructor(options: AlfworldOptions = {}) {
    checkOptions(options, [...SHARED, ...FILES]);
    const ofFiles = options.data !== undefined || options.games !== undefined;
    const { split } = options;
    const taskTypes = checkedTaskTypes(options.taskTypes);
    const source = ofFiles ? fileSource(options) : new GeneratedSource({ split, taskTypes });
    super({ ...options, source, defaultReward: 'paper' });
  }
}

function fileSource({ taskTypes, data, split, games, grammarVersion, logic }: AlfredTextOptions): FileSource {
  return new FileSource({ data, split, games, grammarVersion, logic, taskTypes: checkedTaskTypes(taskTypes) });
}
