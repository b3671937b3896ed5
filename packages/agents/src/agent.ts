/**
 * An agent takes one turn, given an observation and the history of the episode.
 *
 * Random policies, experts, people, AI SDK models and local policies share this interface, so that `evaluate` and the
 * trainers never depend on which one they run. State of an episode lives in the memory that `begin` returns, not in the
 * agent, so episodes are independent of each other, and results do not depend on how many episodes run in parallel.
 */
import type {
  Awaitable,
  ChatMessage,
  Env,
  Generator,
  Info,
  ParsedResponse,
  PromptContext,
  TruncationReason,
} from '@vlgym/core';
import type { StepError, TrajectoryOutcome } from '@vlgym/core/trajectory';
import type { Completion } from './token-model.js';

/** Everything an agent can read when it takes a turn. */
export interface AgentContext<Observation = unknown, Action = unknown, I extends Info = Info>
  extends PromptContext<Observation, Action, I> {
  /** For spaces, masks, dialogue and oracle. Only the caller steps it. */
  readonly env: Env<Observation, Action, I>;
  /** The episode's own generator, derived from its seed: the only source of randomness for an agent. */
  readonly rng: Generator;
  /** Aborted when the caller no longer wants the turn. */
  readonly signal?: AbortSignal;
  /** Differs between all episodes of a process, also between evaluations of the same seeds. */
  readonly episodeId: string;
  /** 0 for the first turn of the episode. */
  readonly stepIndex: number;
  /** The prompt, if the caller has built it already; otherwise the agent asks `env.dialogue`. */
  readonly messages?: readonly ChatMessage[];
}

/** Resources that a turn consumed, summed over retries and repair turns. */
export interface Usage {
  /** Model calls that returned a response. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that the provider read from its cache; absent if it reports none. */
  readonly cachedInputTokens?: number;
  /** Part of `outputTokens` spent on reasoning; absent if the provider reports none. */
  readonly reasoningTokens?: number;
  /** In the currency of the prices given to the agent; 0 without prices. */
  readonly cost: number;
}

/** Which side of the loop failed; the same names as in trajectories. */
export type ErrorBoundary = StepError['boundary'];

/** A failure as data: stored in a trajectory in place of an exception. */
export interface BoundaryError {
  readonly boundary: ErrorBoundary;
  /** Stable, upper-case, e.g. `MODEL_TIMEOUT`, `BUDGET_EXCEEDED`. */
  readonly code: string;
  readonly message: string;
}

/** One call in a turn. */
export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  /** The arguments as parsed; the text as written where it is not JSON. */
  readonly input: unknown;
  /** The tool's result; absent for the call that chose the action. */
  readonly output?: unknown;
  /** The reason why the call failed or is invalid; shown to the model. */
  readonly error?: string;
}

/** One turn: an action, text, or both; or the error that explains why there is neither. */
export interface AgentTurn<Action = unknown> {
  /** Absent when no action could be read from `text`; the caller then applies its fallback. */
  readonly action?: Action;
  /** The last response; empty for agents that produce no text. */
  readonly text: string;
  readonly parsed?: ParsedResponse<Action>;
  /** The prompt of the turn, if it is not the environment's; recorded in its place. */
  readonly prompt?: readonly ChatMessage[];
  /** Token ids and log-probs, if the agent is a local policy. */
  readonly completion?: Completion;
  /** Calls of tools in this turn, in order: those of the agent's own tools, then the one that chose the action. */
  readonly toolCalls?: readonly ToolCall[];
  /** Reasoning that the provider returned separately from the response. */
  readonly reasoning?: string;
  /** The reason why generation stopped: `stop`, `length`, `tool-calls`, … */
  readonly finishReason?: string;
  /** Sampling settings of the turn's requests; never a secret. */
  readonly sampling?: Readonly<Record<string, unknown>>;
  /** Duration of the turn in milliseconds, measured by the agent. Local agents leave it out: their recordings are equal. */
  readonly latencyMs?: number;
  /** Anything else worth keeping, as plain JSON; stored with the step. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly usage?: Usage;
  /** Version of the weights that produced the response. */
  readonly policyVersion?: number;
  /** State value of the observation, for agents with a critic. */
  readonly value?: number;
  /** Set when the turn failed after all retries; the episode is then truncated with this reason. */
  readonly error?: BoundaryError;
}

/** An episode that was just reset. */
export interface BegunEpisode<Observation = unknown, Action = unknown, I extends Info = Info> {
  /** Equal to `AgentContext.episodeId` of its turns. */
  readonly id: string;
  /** For spaces and dialogue. Only the caller steps it. */
  readonly env: Env<Observation, Action, I>;
  readonly observation: Observation;
  readonly info: I;
  /** Aborted when the caller no longer wants the episode. */
  readonly signal?: AbortSignal;
}

/** How an episode ended. */
export interface EpisodeResult {
  readonly seed: number;
  /** The task of the episode: `info.taskKey` at reset. Episodes with equal keys have the same task. */
  readonly taskKey?: string;
  /** Undiscounted sum of the environment's rewards. */
  readonly return: number;
  /** Number of turns. */
  readonly length: number;
  readonly success: boolean;
  readonly endedBy: TrajectoryOutcome['endedBy'];
  readonly truncationReason?: TruncationReason;
  readonly error?: BoundaryError;
  /**
   * False if the episode is not evidence about the agent: the environment or the model's provider failed, the budget was
   * exhausted, or the run was stopped. Such rows are left out of every rate and mean, and `resume` plays them again.
   * An episode that ends with an agent or parser error counts as a failure.
   */
  readonly counted: boolean;
}

export interface EpisodeOutcome<Memory = unknown> extends EpisodeResult {
  readonly episodeId: string;
  /** The value that `begin` returned. */
  readonly memory: Memory;
}

/** A turn of an agent with memory; `memory` is what `begin` returned for this episode. */
export type TurnContext<Observation, Action, I extends Info, Memory> = AgentContext<Observation, Action, I> &
  (undefined extends Memory ? { readonly memory?: Memory } : { readonly memory: Memory });

export interface Agent<Observation = unknown, Action = unknown, I extends Info = Info, Memory = unknown> {
  /** For reports and trajectories, e.g. `random`, `openai/gpt-x`. */
  readonly name: string;
  /** Called after each reset. What it returns is `context.memory` in every turn of this episode, and of no other. */
  begin?(episode: BegunEpisode<Observation, Action, I>): Awaitable<Memory>;
  act(context: TurnContext<Observation, Action, I, Memory>): Awaitable<AgentTurn<Action>>;
  /** Called once for every episode that began, however it ended. It cannot change the result. */
  end?(outcome: EpisodeOutcome<Memory>): Awaitable<void>;
  /**
   * Everything besides the name that its answers depend on, as plain JSON: digests of weights, sampling settings, never a
   * secret. An evaluation stores it with every episode, and `resume` refuses episodes with a different identity.
   */
  identity?(): Awaitable<Readonly<Record<string, unknown>>>;
  /** Several turns at once, one per context and in the same order; makes local policies fast. */
  actBatch?(contexts: readonly TurnContext<Observation, Action, I, Memory>[]): Awaitable<AgentTurn<Action>[]>;
  /** Releases resources. A second call does nothing. */
  close?(): Awaitable<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: an agent for environments of any types
export type AnyAgent = Agent<any, any, any, any>;
