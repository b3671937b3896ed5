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
export { blindAgent } from './blind-agent.js';
export type { Clock } from './clock.js';
export { TimeoutError } from './deadline.js';
export { Episode } from './episode/episode.js';
export {
  AgentFailedError,
  FolderUsedError,
  InvalidModelError,
  MissingPackageError,
  NoDialogueError,
  NoOracleError,
} from './errors.js';
export { evaluate } from './evaluate/evaluate.js';
export type { AgentMemory } from './evaluate/play-turns.js';
export { recordedEvaluations } from './evaluate/recorded.js';
export { EvaluationDiffersError } from './evaluate/resume.js';
export type { EpisodeRow } from './evaluate/rows.js';
export { MOSTLY_LEGAL, type Scores } from './evaluate/summary.js';
export type {
  EpisodeEnding,
  EpisodeFailure,
  EvaluateOptions,
  Evaluation,
  EvaluationProgress,
  Stopped,
} from './evaluate/types.js';
export { EVALUATION_FALLBACK, FALLBACK_WORDS, FALLBACKS, type Fallback, fallbackAction } from './fallback.js';
export { type RememberingModel, rememberGreedy } from './greedy-memory.js';
export type { LanguageModelLike } from './model/ai-sdk.js';
export { type Budget, BudgetExceededError } from './model/budget.js';
export { meteredModel } from './model/meter.js';
export { type ModelAgent, type ModelAgentOptions, type ModelMemory, modelAgent } from './model/model-agent.js';
export { ModelSetupError } from './model/model-failure.js';
export { type OpenAICompatibleOptions, openAICompatibleAgent } from './model/openai-compatible-agent.js';
export { RateLimiter } from './model/rate-limiter.js';
export { type ToolAgentOptions, type ToolLoopAgentLike, toolAgent } from './model/tool-agent.js';
export { oracleAgent } from './oracle-agent.js';
export { type PolicyAgentOptions, policyAgent } from './policy-agent.js';
export { randomAgent } from './random-agent.js';
export { noHint, refusalOf } from './refusal.js';
export type { SuiteResult } from './results/file.js';
export { scriptedAgent, speakingAgent } from './scripted-agent.js';
export { bootstrapMean } from './statistics/bootstrap.js';
export { holm } from './statistics/holm.js';
export { pairedComparison } from './statistics/paired-comparison.js';
export { passAtK, passRate } from './statistics/pass-at-k.js';
export { successRate } from './statistics/success-rate.js';
export { type Interval, wilsonInterval } from './statistics/wilson.js';
export { publishedBaselines } from './suite/baselines.js';
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
  type SuiteEnvironment,
  type SuiteOptions,
  type SuiteProgress,
  suite,
} from './suite/suite.js';
export { ansiPicture } from './terminal/ansi-picture.js';
export { type HumanAgentOptions, humanAgent } from './terminal/human-agent.js';
