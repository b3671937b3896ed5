/** The public interface; `docs/api/agents.txt` lists it. */
export { actionText, actionWords, readAction } from './actions.js';
export type {
  Agent,
  AgentContext,
  AgentTurn,
  AnyAgent,
  BegunEpisode,
  BoundaryError,
  EpisodeOutcome,
  EpisodeResult,
  ErrorBoundary,
  ToolCall,
  TurnContext,
  Usage,
} from './agent.js';
export { ansiPicture } from './ansi-picture.js';
export type { Clock } from './clock.js';
export { TimeoutError } from './deadline.js';
export type { Decision } from './episode/decision.js';
export { type AnyEpisode, Episode } from './episode/episode.js';
export { EpisodeNotRunningError, ForkDiffersError, NotForkableError } from './episode/errors.js';
export type { ForkOptions } from './episode/fork.js';
export type { EpisodeOptions, EpisodeResetOptions } from './episode/options.js';
export { EPISODE_SNAPSHOT, type EpisodeSnapshot } from './episode/snapshot.js';
export type { EpisodeState, EpisodeSummary } from './episode/state.js';
export { INVALID_REWARD } from './episode/step-result.js';
export {
  AgentFailedError,
  FolderUsedError,
  InvalidModelError,
  MissingPackageError,
  NoDialogueError,
  NoOracleError,
} from './errors.js';
export {
  type EpisodeFailure,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationProgress,
  evaluate,
} from './evaluate/evaluate.js';
export type { Stopped } from './evaluate/evaluation-run.js';
export type { EpisodeEnding } from './evaluate/play-episode.js';
export { type AgentMemory, playTurns, type TurnTaker } from './evaluate/play-turns.js';
export { recordedEvaluations } from './evaluate/recorded.js';
export { EvaluationDiffersError } from './evaluate/resume.js';
export type { EpisodeRow } from './evaluate/rows.js';
export { MOSTLY_LEGAL, type Scores } from './evaluate/summary.js';
export { EVALUATION_FALLBACK, FALLBACK_WORDS, FALLBACKS, type Fallback, fallbackAction } from './fallback.js';
export { type HumanAgentOptions, humanAgent } from './human-agent.js';
export type { LanguageModelLike, ModelSettings, ToolLike, ToolsLike } from './model/ai-sdk.js';
export type { AnswerPart } from './model/answer-stream.js';
export { type Budget, BudgetExceededError, type Prices } from './model/budget.js';
export { type MeteredModel, type MeterOptions, meteredModel } from './model/meter.js';
export { type ModelAgent, type ModelAgentOptions, type ModelMemory, modelAgent } from './model/model-agent.js';
export { ModelSetupError } from './model/model-failure.js';
export { type OpenAICompatibleOptions, openAICompatibleAgent } from './model/openai-compatible-agent.js';
export { RateLimiter, type RateLimits, type Ticket } from './model/rate-limiter.js';
export { type ToolAgentOptions, type ToolLoopAgentLike, toolAgent } from './model/tool-agent.js';
export { oracleAgent } from './oracle-agent.js';
export { type PolicyAgentOptions, policyAgent } from './policy-agent.js';
export { randomAgent } from './random-agent.js';
export { scriptedAgent, speakingAgent } from './scripted-agent.js';
export { type BootstrapMean, type BootstrapOptions, bootstrapMean } from './statistics/bootstrap.js';
export type { TrainedRun } from './statistics/crossed.js';
export { holm } from './statistics/holm.js';
export { type PairedComparison, pairedComparison } from './statistics/paired-comparison.js';
export { type PassRate, passAtK, passHatK, passRate } from './statistics/pass-at-k.js';
export { type Covers, type SuccessRate, successRate, trainedSuccessRate } from './statistics/success-rate.js';
export type { TaskOutcome, TasksBy } from './statistics/task-outcome.js';
export { type TrainingComparison, type TrainingPair, trainingComparison } from './statistics/training-comparison.js';
export { type Interval, wilsonInterval } from './statistics/wilson.js';
export { type CellComparison, type CellPair, compareCells, pairsWithin } from './suite/compare.js';
export { type Estimate, type EstimateOptions, estimate } from './suite/estimate.js';
export {
  type CellEpisode,
  cellOf,
  countFailures,
  type FailureCount,
  RESULT_SCHEMA,
  resultFileSchema,
  type SuiteCell,
} from './suite/result.js';
export {
  cellFolder,
  publishedBaselines,
  type SuiteEnvironment,
  type SuiteOptions,
  type SuiteProgress,
  type SuiteResult,
  suite,
} from './suite/suite.js';
export {
  type Completion,
  type GenerateOptions,
  rowGenerators,
  type TokenModel,
  type TokenVersions,
} from './token-model.js';
export { ACTION_TOOL, type ActionTool, actionTools, type ToolSchema } from './tools/action-tools.js';
export { turnFromToolCall } from './tools/tool-call.js';
export { demonstration, promptMessages, turnFromAction, turnFromResponse } from './turn.js';
