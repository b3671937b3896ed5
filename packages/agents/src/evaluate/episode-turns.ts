/**
 * The turns of one episode: prompt → agent → (fallback) → environment, until it ends.
 *
 * Whatever the agent, the model or the environment throws becomes the last step of this episode.
 */
import type {
  AnyEnv,
  Awaitable,
  ChatMessage,
  EpisodeStep,
  Generator,
  ResetResult,
  StepResult,
  TruncationReason,
  Turn,
} from '@vlgym/core';
import { InvalidActionError, stepLimitOf } from '@vlgym/core';
import type { AgentContext, AgentTurn, BoundaryError, Episode, ErrorBoundary } from '../agent.js';
import { awaitWithDeadline } from '../deadline.js';
import { isSetupError, toBoundaryError } from '../errors.js';
import type { Fallback } from '../fallback.js';
import { type Move, moveOf, playMove } from '../move.js';
import { assertStepResult } from './step-result.js';

export interface EpisodeTurnsOptions {
  readonly env: AnyEnv;
  /** Draws of the agent and of fallback actions. */
  readonly rng: Generator;
  /** What the agent sees; differs between all episodes of a process. */
  readonly episodeId: string;
  readonly begin: ((episode: Episode) => unknown) | undefined;
  readonly act: (context: AgentContext & { readonly memory?: unknown }) => Awaitable<AgentTurn>;
  readonly fallback: Fallback;
  readonly maxSteps: number;
  readonly environmentTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Error codes that stop an episode without a failure of the agent or the model. */
const STOPS: Readonly<Record<string, TruncationReason>> = { BUDGET_EXCEEDED: 'budget', HUMAN_QUIT: 'interrupted' };

/** The result of a turn that left the environment alone, under `illegal-noop`. */
const STANDSTILL = { reward: 0, terminated: false, truncated: false };

/** A failure that ends the episode. */
class Failure extends Error {
  constructor(
    readonly error: BoundaryError,
    /** What was thrown, with its stack. */
    cause?: unknown,
  ) {
    super(error.message, { cause });
  }
}

export class EpisodeTurns {
  readonly #options: EpisodeTurnsOptions;
  /** The agent began the episode, so it is told of its end. */
  hasBegun = false;
  /** What the agent's `begin` returned. */
  memory: unknown;
  /** What was thrown, if the episode failed. */
  cause: unknown;

  constructor(options: EpisodeTurnsOptions) {
    this.#options = options;
  }

  /** Plays from a reset on; the last step terminates, is truncated, or carries the failure. */
  async *play(first: ResetResult<unknown>): AsyncGenerator<EpisodeStep> {
    const { env, rng, episodeId, maxSteps, signal, begin } = this.#options;
    const history: Turn[] = [];
    // an environment does not see the turns that leave it alone
    const limit = Math.min(maxSteps, stepLimitOf(env));
    let { observation, info } = first;
    try {
      this.memory = await this.#begin(first);
      this.hasBegun = true;
    } catch (error) {
      yield this.#endOf(error);
      return;
    }
    for (let stepIndex = 0; ; stepIndex += 1) {
      const step: { -readonly [K in keyof EpisodeStep]: EpisodeStep[K] } = {};
      try {
        const seen = { observation, info, history: [...history], env, rng, signal, episodeId, stepIndex };
        const messages = prompt(seen);
        const context: AgentContext = messages ? { ...seen, messages } : seen;
        const turn = await this.#takeTurn(begin ? { ...context, memory: this.memory } : context);
        step.turn = turn;
        if (turn.parsed && messages) step.prompt = messages;
        if (turn.error) throw new Failure(turn.error);
        const move = this.#moveOf(context, turn);
        if (move.fallback) step.fallback = true;
        if (move.fallback && this.#options.fallback === 'terminate') throw new Failure(noAction(turn));
        if (move.action !== undefined) step.action = move.action;
        step.result = await this.#execute(move, seen);
        history.push({ observation, text: turn.text, action: step.action, reward: step.result.reward });
      } catch (error) {
        yield { ...step, ...this.#endOf(error) };
        return;
      }
      const { result } = step;
      if (!result.terminated && !result.truncated && stepIndex + 1 >= limit) step.truncationReason = 'step-limit';
      yield step;
      if (result.terminated || result.truncated || step.truncationReason) return;
      ({ observation, info } = result);
    }
  }

  /** What the agent's `begin` returns; `undefined` for agents without one. */
  async #begin({ observation, info }: ResetResult<unknown>): Promise<unknown> {
    const { begin, episodeId, env, signal } = this.#options;
    if (!begin) return undefined;
    try {
      const milliseconds = Number.POSITIVE_INFINITY;
      const start = () => begin({ id: episodeId, env, observation, info, signal });
      return await awaitWithDeadline(start, { what: 'The agent', code: 'AGENT_TIMEOUT', milliseconds, signal });
    } catch (error) {
      throw isSetupError(error) ? error : failure(error, 'agent');
    }
  }

  async #takeTurn(context: AgentContext & { readonly memory?: unknown }): Promise<AgentTurn> {
    const { act, signal } = this.#options;
    let turn: AgentTurn;
    try {
      // agents have their own time limits; only the caller's signal applies here
      const milliseconds = Number.POSITIVE_INFINITY;
      const options = { what: 'The agent', code: 'AGENT_TIMEOUT', milliseconds, signal };
      turn = await awaitWithDeadline(() => act(context), options);
    } catch (error) {
      throw isSetupError(error) ? error : failure(error, 'agent');
    }
    const { actionSpace } = context.env;
    if (turn.action === undefined || actionSpace.contains(turn.action)) return turn;
    return { ...turn, error: toBoundaryError(new InvalidActionError(turn.action, actionSpace.describe()), 'agent') };
  }

  #moveOf(context: AgentContext, { action }: AgentTurn): Move {
    try {
      return moveOf(context, action, this.#options.fallback);
    } catch (error) {
      throw failure(error, 'environment');
    }
  }

  async #execute(move: Move, seen: AgentContext): Promise<StepResult<unknown>> {
    const { env, signal, environmentTimeoutMs: milliseconds } = this.#options;
    try {
      const result: unknown = await awaitWithDeadline<unknown>(() => playMove(env, move, seen, STANDSTILL), {
        what: 'The environment',
        code: 'ENVIRONMENT_TIMEOUT',
        milliseconds,
        signal,
      });
      assertStepResult(result);
      return result;
    } catch (error) {
      throw failure(error, 'environment');
    }
  }

  #endOf(error: unknown): Pick<EpisodeStep, 'error' | 'truncationReason'> {
    if (this.#options.signal.aborted) return { truncationReason: 'interrupted' };
    if (!(error instanceof Failure)) throw error;
    this.cause = error.cause;
    const { boundary, code } = error.error;
    return { error: error.error, truncationReason: STOPS[code] ?? `${boundary}-error` };
  }
}

function prompt(context: AgentContext): readonly ChatMessage[] | undefined {
  try {
    return context.env.dialogue?.prompt(context);
  } catch (error) {
    throw failure(error, 'environment');
  }
}

function failure(error: unknown, boundary: ErrorBoundary): Failure {
  return new Failure(toBoundaryError(error, boundary), error);
}

function noAction({ parsed }: AgentTurn): BoundaryError {
  const message = `No action could be read from the response (${parsed?.reason ?? 'no reason given'}).`;
  return { boundary: 'parser', code: 'NO_ACTION', message };
}
