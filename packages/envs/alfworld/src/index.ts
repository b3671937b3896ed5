/**
 * @vlgym/alfworld: household tasks as text or pictures, from ALFWorld's game files or generated. Importing it registers the
 * environments.
 */
import './register.js';

export { household, type OwnHousehold } from './builder/household.js';
export type {
  HouseholdPlan,
  ObjectPlan,
  OwnProperty,
  ReceptaclePlan,
  RoomPlan,
  TaskPlan,
  Wall,
} from './builder/plan.js';
export { downloadData } from './data/download.js';
export { importData } from './data/import-data.js';
export { Game } from './engine/game.js';
export { Play } from './engine/play.js';
export {
  AlfredTextEnv,
  type AlfredTextOptions,
  AlfworldEnv,
  type AlfworldOptions,
  createAlfworld,
} from './env/alfworld.js';
export { DIALOGUE_STYLES, type DialogueStyle, householdDialogue, MATCHINGS, type Matching } from './env/dialogue.js';
export { HouseholdEnv } from './env/household-env.js';
export type { HouseholdInfo } from './env/info.js';
export { type HouseholdObservation, OBSERVATION_STYLES, type ObservationStyle } from './env/observation.js';
export type { ExpertName, HouseholdOptions } from './env/options.js';
export {
  REWARD_PRESETS,
  type RewardOption,
  type RewardPreset,
  type RewardWeights,
  type StepFacts,
} from './env/reward.js';
export { OBSERVATION_KINDS, type ObservationKind, type ObservationOfKind, type TextAndImage } from './env/views.js';
export { GameFileError, type GameFileErrorCode } from './errors.js';
export { goalConditions } from './experts/goal-conditions.js';
export { adviseHandCoded } from './experts/hand-coded.js';
export { planToGoal } from './experts/planner.js';
export { listGames, SPLITS, type Split } from './games/collection.js';
export { compileGame, loadGame, parseGameFile } from './games/game-file.js';
export { renderAgain } from './games/grammar-version.js';
export { GameOrder } from './games/order.js';
export { TASK_TYPES, type TaskType } from './games/task.js';
export { householdFiles, writeHousehold } from './generator/files.js';
export { generateHousehold, householdTexts, walkthroughOf } from './generator/household.js';
export { layoutOf } from './generator/layout.js';
export { loadPictures } from './pictures/load.js';
export type { InstanceMap } from './pictures/painter.js';
export { AlfredPythonEnv } from './python/python-env.js';
export { originalPython } from './python/python-place.js';
export { setupPython } from './python/setup-python.js';
export { AlfredThorEnv } from './python/thor-env.js';
