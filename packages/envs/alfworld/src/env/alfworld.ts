/** The environments of this package: ALFWorld as published, and generated households that need no data. */
import type { z } from 'zod';
import type { OwnHousehold } from '../builder/household.js';
import type { HouseholdPlan } from '../builder/plan.js';
import { OwnSource } from '../builder/source.js';
import { FileSource } from '../games/source.js';
import { GeneratedSource } from '../generator/source.js';
import { loadPictures } from '../pictures/load.js';
import { HouseholdEnv } from './household-env.js';
import {
  checkedSplits,
  checkedTaskTypes,
  checkOptions,
  type FileGameOptions,
  fileOptions,
  GENERATED_OPTIONS,
  type HouseholdOptions,
  refuseChoices,
  refuseFileOptions,
} from './options.js';
import type { ObservationKind, ObservationOfKind, SeenObservation } from './views.js';

export interface AlfredTextOptions extends HouseholdOptions, FileGameOptions {}

export interface AlfworldOptions extends HouseholdOptions, FileGameOptions {
  /** `train` (default), `seen` or `unseen`; with `data` or `games`, a split of the files. See also `splitScheme`. */
  readonly split?: string | undefined;
  /**
   * Custom households instead of generated ones, as plans (plain data) or as `household` returns them.
   *
   * @see household
   */
  readonly households?: readonly (HouseholdPlan | OwnHousehold)[] | undefined;
}

/**
 * `alfworld/AlfredTWEnv-v0`: the text engine of ALFWorld on its own game files. Reward 1 for winning.
 *
 * Reads nothing before the first `reset`, which throws `NO_GAMES` without data.
 */
export class AlfredTextEnv<Observation extends SeenObservation = string> extends HouseholdEnv<Observation> {
  constructor(options: AlfredTextOptions = {}) {
    checkOptions(options);
    super({ ...options, source: new FileSource(fileOptions(options)), defaultReward: 'sparse' });
  }
}

/**
 * `vlgym/ALFWorld-v1`: generated households, or game files if `data` or `games` is given. Reward as in the papers:
 * 50·won + subgoal - illegal.
 */
export class AlfworldEnv<Observation extends SeenObservation = string> extends HouseholdEnv<Observation> {
  constructor(options: AlfworldOptions = {}) {
    checkOptions(options, GENERATED_OPTIONS);
    const { households, ...rest } = options;
    if (households !== undefined) {
      refuseChoices(rest);
      refuseFileOptions(rest);
      const source = new OwnSource(households, checkedSplits(rest).contentSplit);
      super({ ...rest, source, defaultReward: 'paper' });
      return;
    }
    const ofFiles = options.data !== undefined || options.games !== undefined;
    if (!ofFiles) refuseFileOptions(options);
    const taskTypes = checkedTaskTypes(options.taskTypes);
    const { taskMix, density } = options;
    const source = ofFiles
      ? new FileSource(fileOptions(options))
      : new GeneratedSource({ ...checkedSplits(options), taskTypes, taskMix, density });
    super({ ...options, source, defaultReward: 'paper' });
  }
}

/**
 * Like `new AlfworldEnv`, but loads pictures if the options need them, and types the observation.
 *
 * @example
 * const env = await createAlfworld({ observation: 'both' });
 * const { text, image } = env.reset({ seed: 7 }).observation;
 */
export async function createAlfworld<const Kind extends ObservationKind = 'text'>(
  options: AlfworldOptions & { readonly observation?: Kind | undefined } = {},
): Promise<AlfworldEnv<ObservationOfKind<Kind>>> {
  await loadFor(options, GENERATED_OPTIONS);
  return new AlfworldEnv(options);
}

/**
 * `vlgym/ALFWorld-v2`: as `createAlfworld`, but generated households have the published mix of tasks and as many receptacles
 * and objects as ALFWorld's rooms, unless the options say otherwise.
 */
export async function createPublishedAlfworld<const Kind extends ObservationKind = 'text'>(
  options: AlfworldOptions & { readonly observation?: Kind | undefined } = {},
): Promise<AlfworldEnv<ObservationOfKind<Kind>>> {
  const { data, games, households } = options;
  const isGiven = data !== undefined || games !== undefined || households !== undefined;
  return createAlfworld(isGiven ? options : { taskMix: 'published', density: 'published', ...options });
}

/** Loads pictures if the options need them. */
export async function loadFor(options: HouseholdOptions, schema?: z.ZodObject): Promise<void> {
  checkOptions(options, schema);
  const { observation = 'text', renderMode } = options;
  if (observation !== 'text' || renderMode === 'rgb_array') await loadPictures();
}
