/**
 * What an agent is: something that, given an observation and all that happened before, takes one turn.
 *
 * Random policies, experts, people, AI SDK models and local policies share this interface, so that `evaluate` and the
 * trainers never ask which one they hold. An agent keeps no state between turns that `AgentContext` could carry: that
 * makes episodes independent of each other, and a run independent of how many episodes go in parallel.
 */
import type {
  Awaitable,
  ChatMessage,
  Env,
  Generator,
  Info,
  ParsedResponse,
  PromptContext,
  StepError,
} from '@vlgym/core';
import type { Completion } from './token-model.js';

/** All an agent may look at when it takes a turn. */
export interface AgentContext<Observation = unknown, Action = unknown, I extends Info = Info>
  extends PromptContext<Observation, Action, I> {
  /** For spaces, masks, dialogue and oracle. Stepping it is the caller's business. */
  readonly env: Env<Observation, Action, I>;
  /** The episode's own generator, derived from its seed: the only source of chance an agent may use. */
  readonly rng: Generator;
  /** Aborted when the caller no longer wants the turn. */
  readonly signal?: AbortSignal;
  readonly episodeId: string;
  /** 0 for the first turn of the episode. */
  readonly stepIndex: number;
  /** The prompt, where the caller has built it already; otherwise the agent asks `env.dialogue`. */
  readonly messages?: readonly ChatMessage[];
}

/** What a turn consumed, summed over retries and repair turns. */
export interface Usage {
  /** Calls of the model that were answered. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the prices given to the agent; 0 where none were given. */
  readonly cost: number;
}

/** Which side of the loop failed; the names are those of trajectories. */
export type ErrorBoundary = StepError['boundary'];

/** A failure as data: what goes into a trajectory in place of an exception. */
export interface BoundaryError {
  readonly boundary: ErrorBoundary;
  /** Stable, upper-case, e.g. `MODEL_TIMEOUT`, `BUDGET_EXCEEDED`. */
  readonly code: string;
  readonly message: string;
}

/** One turn: an action, words, or both; or the reason why there is neither. */
export interface AgentTurn<Action = unknown> {
  /** Absent when none could be read from `text`; the caller then applies its fallback. */
  readonly action?: Action;
  /** The last response; empty for agents without words. */
  readonly text: string;
  readonly parsed?: ParsedResponse<Action>;
  /** Token ids and log-probs, where the agent is a local policy. */
  readonly completion?: Completion;
  readonly usage?: Usage;
  /** Which weights spoke. */
  readonly policyVersion?: number;
  /** What the agent thinks of the observation: a state value, where it has a critic. */
  readonly value?: number;
  /** Set when the turn failed for good; the episode is then truncated with this reason. */
  readonly error?: BoundaryError;
}

export interface Agent<Observation = unknown, Action = unknown, I extends Info = Info> {
  /** For reports and trajectories, e.g. `random`, `openai/gpt-x`. */
  readonly name: string;
  act(context: AgentContext<Observation, Action, I>): Awaitable<AgentTurn<Action>>;
  /**
   * What its answers depend on beside its name, as plain JSON: weights by digest, sampling settings, never a secret. An
   * evaluation stores it with every episode, and `resume` refuses the episodes of another.
   */
  identity?(): Awaitable<Readonly<Record<string, unknown>>>;
  /** Several turns at once, one per context and in their order: what makes local policies fast. */
  actBatch?(contexts: readonly AgentContext<Observation, Action, I>[]): Awaitable<AgentTurn<Action>[]>;
  /** Frees what is held. A second call does nothing. */
  close?(): Awaitable<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: an agent for environments of whatever types
export type AnyAgent = Agent<any, any, any>;
