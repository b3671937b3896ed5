/** Parts of agents that ask language models: meters, budgets, tools, turns. */

export {
  type Completion,
  type GenerateOptions,
  rowGenerators,
  type TokenModel,
  type TokenVersions,
} from '../token-model.js';
export { ACTION_TOOL, type ActionTool, actionTools, type ToolSchema } from '../tools/action-tools.js';
export { turnFromToolCall } from '../tools/tool-call.js';
export { demonstration, promptMessages, turnFromAction, turnFromResponse } from '../turn.js';
export type { ModelSettings, ToolLike, ToolsLike } from './ai-sdk.js';
export type { AnswerPart } from './answer-stream.js';
export type { Prices } from './budget.js';
export type { Memory, MemoryOptions } from './conversation.js';
export { type MeteredModel, type MeterOptions, meteredModel } from './meter.js';
export { RateLimiter, type RateLimits, type Ticket } from './rate-limiter.js';
