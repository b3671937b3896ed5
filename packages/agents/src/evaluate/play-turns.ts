/**
 * The turns of one episode, taken by one agent until it ends.
 *
 * An error of the agent, the model or the environment becomes the last step of this episode.
 */
import { type Awaitable, type ChatMessage, InvalidActionError } from '@vlgym/core';
import type { EpisodeStep } from '@vlgym/core/trajectory';
import type { AgentContext, AgentTurn, BegunEpisode, BoundaryError, ErrorBoundary } from '../agent.js';
import { awaitWithDeadline } from '../deadline.js';
import type { AnyEpisode } from '../episode/episode.js';
import { isSetupError, toBoundaryError } from '../errors.js';
import { type Observer, observed } from '../observer.js';
import { stepFacts } from './observed-turn.js';

export interface TurnTaker {
  readonly begin?: ((episode: BegunEpisode) => unknown) | undefined;
  readonly act: (context: AgentContext & { readonly memory?: unknown }) => Awaitable<AgentTurn>;
  /** Watches the steps of the environment. */
  readonly observer?: Observer | undefined;
}

/** The agent's memory of the episode; `hasBegun` means that the agent must be notified of the end. */
export interface AgentMemory {
  hasBegun: boolean;
  memory: unknown;
}

/** A failure that ends the episode. */
class Failure extends Error {
  constructor(
    readonly error: BoundaryError,
    /** The error that was thrown, with its stack. */
    cause?: unknown,
  ) {
    super(error.message, { cause });
  }
}

/**
 * Plays from a reset on; the last step terminates, is truncated, or carries the failure.
 *
 * @param memory  Set to what the agent's `begin` returns.
 * @throws errors of setup: this agent cannot play this environment with any seed.
 */
export async function* playTurns(
  episode: AnyEpisode,
  { begin, act, observer }: TurnTaker,
  memory: AgentMemory = { hasBegun: false, memory: undefined },
): AsyncGenerator<EpisodeStep> {
  const { env, state } = episode;
  const { signal } = episode.options;
  try {
    memory.memory = await agentCall(() => {
      const { id, observation, info } = state;
      return begin?.({ id, env, observation, info, ...(signal && { signal }) });
    }, signal);
    memory.hasBegun = true;
  } catch (error) {
    yield endOf(episode, error);
    return;
  }
  while (episode.isRunning) {
    const step: { turn?: AgentTurn; prompt?: readonly ChatMessage[] } = {};
    try {
      const seen = episode.context;
      const messages = promptOf(episode);
      const context: AgentContext = messages ? { ...seen, messages } : seen;
      const turn = await takeTurn(act, begin ? { ...context, memory: memory.memory } : context);
      step.turn = turn;
      const prompt = turn.prompt ?? messages;
      if (turn.parsed && prompt) step.prompt = prompt;
      if (turn.error) throw new Failure(turn.error);
      const decision = environmentCall(() => episode.decide(turn));
      const what = () => ({ kind: 'step', step: episode.state.stepIndex, action: decision.action }) as const;
      const taken = await observed(observer, what, async (done) => {
        const after = await episode.actOnce(decision);
        done(observer ? stepFacts(after) : {});
        return after;
      });
      yield { ...step, ...taken };
    } catch (error) {
      yield { ...step, ...endOf(episode, error) };
      return;
    }
  }
}

/** Agents have their own time limits; only the caller's signal applies here. */
async function agentCall<T>(call: () => Awaitable<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    const milliseconds = Number.POSITIVE_INFINITY;
    return await awaitWithDeadline(call, { what: 'The agent', code: 'AGENT_TIMEOUT', milliseconds, signal });
  } catch (error) {
    throw isSetupError(error) ? error : failure(error, 'agent');
  }
}

async function takeTurn(act: TurnTaker['act'], context: Parameters<TurnTaker['act']>[0]): Promise<AgentTurn> {
  const turn = await agentCall(() => act(context), context.signal);
  const { actionSpace } = context.env;
  if (turn.action === undefined || actionSpace.contains(turn.action)) return turn;
  return { ...turn, error: toBoundaryError(new InvalidActionError(turn.action, actionSpace.describe()), 'agent') };
}

/** Agents without language play environments without a dialogue. */
const promptOf = (episode: AnyEpisode): readonly ChatMessage[] | undefined =>
  episode.env.dialogue && environmentCall(() => episode.prompt());

function environmentCall<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw failure(error, 'environment');
  }
}

function endOf(episode: AnyEpisode, error: unknown): EpisodeStep {
  if (error instanceof Failure) return episode.fail(error.error, { cause: error.cause });
  if (!episode.options.signal?.aborted) throw error;
  return episode.fail(toBoundaryError(error, 'agent'), { cause: error });
}

const failure = (error: unknown, boundary: ErrorBoundary) => new Failure(toBoundaryError(error, boundary), error);
