/**
 * One episode from reset to end: prompt → agent → (fallback) → environment → record, until it ends.
 *
 * Whatever the agent, the model or the environment throws becomes the last step of this episode. The promise rejects only
 * if the recording cannot be written or the agent cannot play the environment: both would invalidate every result.
 */
import type {
  AnyEnv,
  Awaitable,
  ChatMessage,
  EpisodeRecorder,
  EpisodeStart,
  EpisodeStep,
  Info,
  ResetResult,
  StepResult,
  TruncationReason,
  Turn,
} from '@vlgym/core';
import { InvalidActionError } from '@vlgym/core';
import type { AgentContext, AgentTurn, BoundaryError, Episode, EpisodeOutcome, ErrorBoundary } from '../agent.js';
import { awaitWithDeadline } from '../deadline.js';
import { isSetupError, toBoundaryError } from '../errors.js';
import { type Fallback, fallbackAction } from '../fallback.js';
import { type EpisodePlan, episodeGenerator } from './plan.js';
import { countSteps, type EpisodeRow, isCounted, type StepFacts, taskKeyIn } from './rows.js';
import { assertStepResult } from './step-result.js';

/** Input of the success rule: the last step of an episode and its totals. */
export interface EpisodeEnding {
  readonly info: Info;
  readonly return: number;
  readonly length: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface PlayOptions {
  readonly env: AnyEnv;
  readonly plan: EpisodePlan;
  /** Id of its trajectory and row; equal in every run of the same evaluation. */
  readonly id: string;
  /** What the agent sees; differs between all episodes of a process. */
  readonly episodeId: string;
  readonly begin: ((episode: Episode) => unknown) | undefined;
  readonly act: (context: AgentContext & { readonly memory?: unknown }) => Awaitable<AgentTurn>;
  readonly end: ((outcome: EpisodeOutcome) => Awaitable<void>) | undefined;
  readonly fallback: Fallback;
  readonly maxSteps: number;
  readonly environmentTimeoutMs: number;
  readonly isSuccess: (ending: EpisodeEnding) => boolean;
  readonly category: (info: unknown) => string | undefined;
  readonly resetOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  /** True if the failure of a reset says that no episode can be played. */
  readonly refusesSetup: (error: unknown) => boolean;
  /** A reset worked. */
  readonly onReset: () => void;
  readonly record: ((start: Pick<EpisodeStart, 'env' | 'first'>) => Promise<EpisodeRecorder>) | undefined;
}

/** Error codes that stop an episode without a failure of the agent or the model. */
const STOPS: Readonly<Record<string, TruncationReason>> = { BUDGET_EXCEEDED: 'budget', HUMAN_QUIT: 'interrupted' };

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

/** A row, and what was thrown if the episode failed. */
export interface PlayedEpisode {
  readonly row: EpisodeRow;
  readonly cause?: unknown;
}

/** State that the turns of one episode share. */
interface Running {
  hasBegun: boolean;
  memory: unknown;
  cause: unknown;
}

export async function playEpisode(options: PlayOptions): Promise<PlayedEpisode> {
  const { plan, isSuccess, category } = options;
  let first: ResetResult<unknown>;
  try {
    first = await reset(options);
  } catch (error) {
    if (!options.signal.aborted && options.refusesSetup(error)) throw error;
    return { row: failedResetRow(options, error), cause: error };
  }
  options.onReset();
  const recorder = await options.record?.({ env: options.env, first });
  const facts: StepFacts[] = [];
  let { info } = first;
  let sum = 0;
  let last: EpisodeStep = {};
  const running: Running = { hasBegun: false, memory: undefined, cause: undefined };
  for await (const step of turns(options, first, running)) {
    await recorder?.step(step);
    facts.push(factsOf(step));
    sum += step.result?.reward ?? 0;
    info = step.result?.info ?? info;
    last = step;
  }

  const terminated = last.result?.terminated ?? false;
  const ending: EpisodeEnding = { info, return: sum, length: facts.length, terminated, truncated: !terminated };
  const endedBy = ending.terminated ? 'terminated' : last.error ? 'error' : 'truncated';
  const reason = ending.terminated ? undefined : (last.truncationReason ?? 'environment');
  const counted = isCounted(endedBy, reason);
  const success = counted && endedBy !== 'error' && isSuccess(ending);
  await recorder?.end({ success });
  const kind = category(info) ?? category(first.info);
  const row: EpisodeRow = {
    id: recorder?.id ?? options.id,
    ...plan,
    ...taskKeyIn(first.info),
    return: ending.return,
    length: ending.length,
    success,
    endedBy,
    ...(reason && { truncationReason: reason }),
    ...(last.error && { error: last.error }),
    counted,
    ...countSteps(facts),
    ...(kind === undefined ? {} : { category: kind }),
  };
  const failedEnd = running.hasBegun ? await endEpisode(options, row, running.memory) : undefined;
  if (!failedEnd) return { row, cause: running.cause };
  return row.error
    ? { row, cause: running.cause }
    : { row: { ...row, error: failedEnd.error }, cause: failedEnd.cause };
}

/** `end` of the agent. It cannot change the score, but its failure is told. */
async function endEpisode({ end, episodeId }: PlayOptions, row: EpisodeRow, memory: unknown) {
  const { seed, taskKey, success, counted, return: sum, length, endedBy, truncationReason, error } = row;
  try {
    await end?.({
      episodeId,
      memory,
      seed,
      ...(taskKey === undefined ? {} : { taskKey }),
      success,
      counted,
      return: sum,
      length,
      endedBy,
      ...(truncationReason && { truncationReason }),
      ...(error && { error }),
    });
    return undefined;
  } catch (cause) {
    return { error: { ...toBoundaryError(cause, 'agent'), code: 'AGENT_END_FAILED' }, cause };
  }
}

/** The turns of an episode; the last one terminates, is truncated, or carries the failure. */
async function* turns(
  options: PlayOptions,
  first: ResetResult<unknown>,
  running: Running,
): AsyncGenerator<EpisodeStep> {
  const { env, plan, episodeId, maxSteps, signal } = options;
  const rng = episodeGenerator(plan);
  const history: Turn[] = [];
  let { observation, info } = first;
  try {
    running.memory = await begin(options, first);
    running.hasBegun = true;
  } catch (error) {
    yield endOf(error, signal, running);
    return;
  }
  for (let stepIndex = 0; ; stepIndex += 1) {
    const step: { -readonly [K in keyof EpisodeStep]: EpisodeStep[K] } = {};
    try {
      const seen = { observation, info, history: [...history], env, rng, signal, episodeId, stepIndex };
      const messages = prompt(seen);
      const context: AgentContext = messages ? { ...seen, messages } : seen;
      const turn = await takeTurn(options.begin ? { ...context, memory: running.memory } : context, options);
      step.turn = turn;
      if (turn.parsed && messages) step.prompt = messages;
      if (turn.error) throw new Failure(turn.error);

      const isFallback = turn.action === undefined;
      if (isFallback) step.fallback = true;
      if (isFallback && options.fallback === 'terminate') throw new Failure(noAction(turn));
      if (isFallback && options.fallback === 'illegal-noop') {
        step.result = { observation, info, reward: 0, terminated: false, truncated: false };
      } else {
        step.action = isFallback ? drawFallback(context) : turn.action;
        step.result = await execute(step.action, options);
        history.push({ observation, text: turn.text, action: step.action, reward: step.result.reward });
      }
    } catch (error) {
      yield { ...step, ...endOf(error, signal, running) };
      return;
    }
    const { result } = step;
    if (!result.terminated && !result.truncated && stepIndex + 1 >= maxSteps) step.truncationReason = 'step-limit';
    yield step;
    if (result.terminated || result.truncated || step.truncationReason) return;
    ({ observation, info } = result);
  }
}

/** What the agent's `begin` returns; `undefined` for agents without one. */
async function begin(
  { begin: start, episodeId, env, signal }: PlayOptions,
  { observation, info }: ResetResult<unknown>,
): Promise<unknown> {
  if (!start) return undefined;
  try {
    const milliseconds = Number.POSITIVE_INFINITY;
    const memory = start({ id: episodeId, env, observation, info, signal });
    return await awaitWithDeadline(memory, { what: 'The agent', code: 'AGENT_TIMEOUT', milliseconds, signal });
  } catch (error) {
    throw isSetupError(error) ? error : failure(error, 'agent');
  }
}

async function reset({ env, plan, resetOptions, environmentTimeoutMs, signal }: PlayOptions) {
  const options = { seed: plan.seed, ...(resetOptions && { options: resetOptions }) };
  return awaitWithDeadline(env.reset(options), {
    what: 'The environment',
    code: 'ENVIRONMENT_TIMEOUT',
    milliseconds: environmentTimeoutMs,
    signal,
  });
}

function prompt(context: AgentContext): readonly ChatMessage[] | undefined {
  try {
    return context.env.dialogue?.prompt(context);
  } catch (error) {
    throw failure(error, 'environment');
  }
}

async function takeTurn(
  context: AgentContext & { readonly memory?: unknown },
  { act, signal }: PlayOptions,
): Promise<AgentTurn> {
  let turn: AgentTurn;
  try {
    // agents have their own time limits; only the caller's signal applies here
    const milliseconds = Number.POSITIVE_INFINITY;
    turn = await awaitWithDeadline(act(context), { what: 'The agent', code: 'AGENT_TIMEOUT', milliseconds, signal });
  } catch (error) {
    throw isSetupError(error) ? error : failure(error, 'agent');
  }
  const { actionSpace } = context.env;
  if (turn.action === undefined || actionSpace.contains(turn.action)) return turn;
  return { ...turn, error: toBoundaryError(new InvalidActionError(turn.action, actionSpace.describe()), 'agent') };
}

async function execute(action: unknown, options: PlayOptions): Promise<StepResult<unknown>> {
  const { env, signal, environmentTimeoutMs: milliseconds } = options;
  try {
    const result: unknown = await awaitWithDeadline<unknown>(env.step(action), {
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

function drawFallback(context: AgentContext): unknown {
  try {
    return fallbackAction(context);
  } catch (error) {
    throw failure(error, 'environment');
  }
}

function failure(error: unknown, boundary: ErrorBoundary): Failure {
  return new Failure(toBoundaryError(error, boundary), error);
}

function endOf(error: unknown, signal: AbortSignal, running: Running): Pick<EpisodeStep, 'error' | 'truncationReason'> {
  if (signal.aborted) return { truncationReason: 'interrupted' };
  if (!(error instanceof Failure)) throw error;
  running.cause = error.cause;
  const { boundary, code } = error.error;
  return { error: error.error, truncationReason: STOPS[code] ?? `${boundary}-error` };
}

function noAction({ parsed }: AgentTurn): BoundaryError {
  const message = `No action could be read from the response (${parsed?.reason ?? 'no reason given'}).`;
  return { boundary: 'parser', code: 'NO_ACTION', message };
}

function factsOf({ turn, fallback }: EpisodeStep): StepFacts {
  return { legal: turn?.parsed?.legal, formatValid: turn?.parsed?.formatValid, fallback, usage: turn?.usage };
}

/** The row of an episode whose reset failed; it has no trajectory. */
export function failedResetRow(
  { id, plan, signal }: Pick<PlayOptions, 'id' | 'plan' | 'signal'>,
  error: unknown,
): EpisodeRow {
  const stopped = signal.aborted;
  return {
    id,
    ...plan,
    return: 0,
    length: 0,
    success: false,
    endedBy: stopped ? 'interrupted' : 'error',
    truncationReason: stopped ? 'interrupted' : 'environment-error',
    ...(stopped ? {} : { error: toBoundaryError(error, 'environment') }),
    counted: false,
    ...countSteps([]),
  };
}
