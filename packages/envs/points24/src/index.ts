/** @vlgym/points24: NumberLine, EZPoints, Points24 and Blackjack, drawn as pictures. Importing it registers them. */
import './register.js';

export { drawCard } from './art/card-art.js';
export { DIALOGUE_STYLES, type DialogueStyle } from './dialogue/style.js';
export { evaluateFormula, type FormulaResult, formulaEquals } from './formula/evaluate.js';
export { type FaultName, type FormulaEntry, type FormulaValue, formatValue } from './formula/values.js';
export {
  BlackjackEnv,
  type BlackjackInfo,
  type BlackjackObservation,
  type BlackjackOptions,
  type BlackjackTotals,
  BlackjackV1Env,
} from './games/blackjack.js';
export type { BlackjackCard } from './games/blackjack-hand.js';
export { EZPointsEnv, type EZPointsOptions, EZPointsV1Env, type EZPointsV1Options } from './games/ez-points.js';
export { NumberLineEnv, type NumberLineInfo, type NumberLineOptions } from './games/number-line.js';
export type { CardGameOptions } from './games/options.js';
export { PointsEnv, type PointsInfo } from './games/points-env.js';
export type { Illegality } from './games/points-rules.js';
export { Points24Env, type Points24Options, Points24V1Env, type Points24V1Options } from './games/points24.js';
export { type Sign, SignsEnv, type SignsInfo, type SignsOptions, SignsV2Env, type TargetPlace } from './games/signs.js';
export { type CompletionTask, completeFormula } from './solver/complete.js';
export { isSolvable, type Solution, type SolveOptions, solve } from './solver/solve.js';
