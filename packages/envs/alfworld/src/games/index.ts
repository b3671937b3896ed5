/** Game files, the engine that plays them, and experts. */
export type { Operator } from '../engine/action.js';
export { type CompileOptions, Game, type GameTexts } from '../engine/game.js';
export { NOTHING_HAPPENS, Play, type PlayResult, type PlayState } from '../engine/play.js';
export { type GoalConditions, goalConditions } from '../experts/goal-conditions.js';
export { adviseHandCoded, type ExpertAdvice, type ExpertMemory } from '../experts/hand-coded.js';
export { type PlanOptions, planToGoal } from '../experts/planner.js';
export {
  defaultDataFolder,
  type GameList,
  type GameRecord,
  type ListOptions,
  listGames,
  NoGamesError,
} from './collection.js';
export {
  compileGame,
  type GameFile,
  type LoadOptions,
  loadGame,
  parseGameFile,
  parseTrajectoryData,
  type TrajectoryData,
} from './game-file.js';
export { GRAMMAR_VERSIONS, type GrammarVersion, type LogicTexts, renderAgain } from './grammar-version.js';
export { FIRST_SEED, GameOrder, type GameOrderState } from './order.js';
export type { Task } from './task.js';
export type { Rejection, RejectionReason } from './verdict.js';
