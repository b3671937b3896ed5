/**
 * @vlgym/alfworld: household tasks as text or pictures, from ALFWorld's game files or generated. Importing it registers the
 * environments.
 */
import './register.js';

export type { PythonHouseholdInfo, PythonVersions } from './bridge/protocol.js';
export { AlfredPythonEnv } from './bridge/python-env.js';
export { PythonError, type PythonErrorCode } from './bridge/python-error.js';
export type { AlfredPythonOptions, AlfredThorOptions, PythonReward, ThorReward } from './bridge/python-options.js';
export { originalPython } from './bridge/python-place.js';
export { type SetupPythonOptions, type SetupPythonReport, setupPython } from './bridge/setup-python.js';
export { AlfredThorEnv, type ThorObservation } from './bridge/thor-env.js';
export {
  ARCHIVE_VERSIONS,
  type ArchiveCheck,
  type ArchiveVersion,
  archiveAddresses,
  type DownloadOptions,
  type DownloadProgress,
  downloadData,
} from './data/download.js';
export { ArchiveError, DownloadError } from './data/errors.js';
export {
  type Imported,
  type ImportLimits,
  type ImportOptions,
  type ImportProgress,
  importData,
} from './data/import-data.js';
export { WriteError } from './data/write-error.js';
export type { Operator } from './engine/action.js';
export { type CompileOptions, Game, type GameTexts } from './engine/game.js';
export { NOTHING_HAPPENS, Play, type PlayResult, type PlayState } from './engine/play.js';
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
export { type GoalConditions, goalConditions } from './experts/goal-conditions.js';
export { adviseHandCoded, type ExpertAdvice, type ExpertMemory } from './experts/hand-coded.js';
export { type PlanOptions, planToGoal } from './experts/planner.js';
export {
  defaultDataFolder,
  type GameList,
  type GameRecord,
  type ListOptions,
  listGames,
  NoGamesError,
  SPLITS,
  type Split,
} from './games/collection.js';
export {
  compileGame,
  type GameFile,
  type LoadOptions,
  loadGame,
  parseGameFile,
  parseTrajectoryData,
  type TrajectoryData,
} from './games/game-file.js';
export { GRAMMAR_VERSIONS, type GrammarVersion, type LogicTexts, renderAgain } from './games/grammar-version.js';
export { FIRST_SEED, GameOrder, type GameOrderState } from './games/order.js';
export { TASK_TYPES, type Task, type TaskType } from './games/task.js';
export type { Rejection, RejectionReason } from './games/verdict.js';
export { type HouseholdFiles, householdFiles, writeHousehold } from './generator/files.js';
export {
  GENERATOR_VERSION,
  generateHousehold,
  type HouseholdChoice,
  householdTexts,
  walkthroughOf,
} from './generator/household.js';
export {
  GENERATED_SPLITS,
  type GeneratedSplit,
  type Household,
  type Target,
  type Thing,
} from './generator/household-types.js';
export {
  DENSITIES,
  type Density,
  type Layout,
  layoutOf,
  type Pose,
  type Receptacle,
  ROOM_TYPES,
  type RoomType,
} from './generator/layout.js';
export { loadPictures } from './pictures/load.js';
export type { InstanceMap } from './pictures/painter.js';
