/**
 * One episode in progress: what was seen, what was answered, what it led to.
 *
 * Evaluation, lock step, workers of a queue and sessions of a server drive it; they decide when a turn is taken and by whom.
 * The episode decides what a turn is: how a response is read, what an unreadable one means, which results are valid, what
 * counts as a turn, when it is over. It is independent of models, batches and sockets.
 */
import {
  type Awaitable,
  type ChatMessage,
  type Dialogue,
  type Env,
  Generator,
  GymError,
  type Info,
  InvalidActionError,
  type ResetResult,
  readResponse,
  type StepResult,
  stepLimitOf,
} from '@vlgym/core';
import { checkNames, defaultEpisodeId } from '@vlgym/core/internal';
import type { EpisodeRecorder, EpisodeStart, EpisodeStep } from '@vlgym/core/trajectory';
import type { AgentContext, BoundaryError } from '../agent.js';
import { awaitWithDeadline } from '../deadline.js';
import { NoDialogueError, toBoundaryError } from '../errors.js';
import { episodeGenerator } from '../evaluate/plan.js';
import { EVALUATION_FALLBACK } from '../fallback.js';
import { type Decision, resolveAction } from './decision.js';
import { EpisodeNotRunningError } from './errors.js';
import { truncationReasonOf, unreadable } from './failure.js';
import { checkReplayable, copyOf, type ForkOptions, remake, replayInto } from './fork.js';
import { type EpisodeOptions, type EpisodeResetOptions, FORK_OPTIONS, RESET_OPTIONS } from './options.js';
import { type EpisodeSnapshot, parseSnapshot, writeSnapshot } from './snapshot.js';
import { afterReset, afterTurn, type EpisodeState, type EpisodeSummary, summarize } from './state.js';
import { assertStepResult } from './step-result.js';

export class Episode<Observation = unknown, Action = unknown, I extends Info = Info> {
  readonly env: Env<Observation, Action, I>;
  readonly options: EpisodeOptions<Observation, Action, I>;
  /** Writes the running episode down; see `record`. */
  recorder: EpisodeRecorder | undefined;
  /** The error that was thrown, if the episode failed. */
  cause: unknown;
  #rng: Generator | undefined;
  #state: EpisodeState<Observation, Action, I> | undefined;
  #failure: BoundaryError | undefined;

  constructor(options: EpisodeOptions<Observation, Action, I>) {
    this.env = options.env;
    this.options = options;
    this.#rng = options.rng;
  }

  /** @throws {NoDialogueError} */
  get dialogue(): Dialogue<Observation, Action, I> {
    const dialogue = this.options.dialogue ?? this.env.dialogue;
    if (!dialogue) throw new NoDialogueError(this.#name);
    return dialogue;
  }

  /** @throws {EpisodeNotRunningError} Nothing was reset yet. */
  get state(): EpisodeState<Observation, Action, I> {
    if (!this.#state) throw new EpisodeNotRunningError('The episode has not started');
    return this.#state;
  }

  get hasStarted(): boolean {
    return this.#state !== undefined;
  }

  /** A turn can be taken. */
  get isRunning(): boolean {
    const { terminated = true, truncated = true } = this.#state ?? {};
    return !terminated && !truncated && !this.#failure;
  }

  /** @throws {EpisodeNotRunningError} */
  ensureRunning(): void {
    const { terminated, truncated } = this.state;
    if (this.#failure?.boundary === 'environment') throw new EpisodeNotRunningError('The environment has failed');
    if (this.#failure || terminated || truncated) throw new EpisodeNotRunningError('The episode is over');
  }

  /** Draws random actions in place of unreadable answers. */
  get rng(): Generator {
    this.#rng ??= new Generator();
    return this.#rng;
  }

  /** The agent's view of the current turn. */
  get context(): AgentContext<Observation, Action, I> {
    const { id: episodeId, observation, info, history, stepIndex } = this.state;
    const { env, rng, options } = this;
    const signal = options.signal && { signal: options.signal };
    return { observation, info, history, env, rng, ...signal, episodeId, stepIndex };
  }

  /**
   * Begins an episode; called again, the next one.
   *
   * @throws what the environment threw; nothing can be played before a reset succeeds.
   */
  async reset(given: EpisodeResetOptions = {}): Promise<ResetResult<Observation, I>> {
    checkNames('options', given, RESET_OPTIONS);
    const { seed, options, id } = given;
    const { rng } = this.options;
    this.#failure = { boundary: 'environment', code: 'RESET_FAILED', message: 'The reset has not succeeded.' };
    const first = await this.#inTime(() =>
      this.env.reset({ ...(seed !== undefined && { seed }), ...(options && { options }) }),
    );
    this.#rng = rng ?? (seed === undefined ? undefined : episodeGenerator({ index: 0, seed, repeat: 0 }));
    this.#begin(afterReset(first, { seed, options, id: id ?? defaultEpisodeId(this.env, seed) }));
    return first;
  }

  /** Begins its recording, e.g. `record((start) => writer.start(start))`; drivers pass every step to `recorder`. */
  async record(open: (start: EpisodeStart) => Promise<EpisodeRecorder>): Promise<void> {
    const { id, seed, options, observation, info } = this.state;
    this.recorder = await open({ env: this.env, first: { observation, info }, seed, options, id });
  }

  /** The prompt of the turn. @throws {NoDialogueError} */
  prompt(): ChatMessage[] {
    return this.dialogue.prompt(this.state);
  }

  /** Reads a response and decides what it means. @throws {NoDialogueError} */
  read(text: string): Decision<Action> {
    const parsed = readResponse(this.dialogue, text, this.state);
    return this.decide({ text, parsed, ...(parsed.action !== undefined && { action: parsed.action }) });
  }

  /** Decides for an agent that reads its responses itself; without an action, none could be read. */
  decide({ action, text = '', parsed }: Partial<Omit<Decision<Action>, 'fallback'>>): Decision<Action> {
    const { fallback: rule = EVALUATION_FALLBACK } = this.options;
    return { text, ...(parsed && { parsed }), ...resolveAction(this.context, action, rule) };
  }

  /**
   * Takes the turn. A failing environment is data: the step then has an `error` and no `result`, and the episode is over.
   *
   * @throws {InvalidActionError} The action is not one of the space, or the environment refuses it: nothing has happened.
   * @throws {EpisodeNotRunningError}
   */
  async act(decision: Decision<Action>): Promise<EpisodeStep> {
    this.ensureRunning();
    const { observation, info } = this.state;
    const { action, fallback } = decision;
    if (action !== undefined && !fallback && !this.env.actionSpace.contains(action)) {
      throw new InvalidActionError(action, this.env.actionSpace.describe());
    }
    let result: StepResult<Observation, I>;
    try {
      result =
        action === undefined ? this.#leftAlone(observation, info) : await this.#inTime(() => this.env.step(action));
      assertStepResult(result);
    } catch (error) {
      if (GymError.isInstance(error) && error.code === 'INVALID_ACTION') throw error;
      return this.fail(toBoundaryError(error, 'environment'), { cause: error, decision });
    }
    const isCut = this.#advance(decision, result);
    if (action === undefined && result.terminated) this.#failure = unreadable(decision);
    return {
      ...this.#planned(decision),
      result,
      ...(this.#failure && { error: this.#failure }),
      ...(isCut && { truncationReason: 'step-limit' as const }),
    };
  }

  /** The same for an agent that cannot be asked again: an action that is refused ends the episode, too. */
  async actOnce(decision: Decision<Action>): Promise<EpisodeStep> {
    try {
      return await this.act(decision);
    } catch (cause) {
      return this.fail(toBoundaryError(cause, 'environment'), { cause, decision });
    }
  }

  /**
   * Ends it with a failure of the agent, the model or the environment.
   *
   * @param decision  The turn that failed, if one was taken.
   * @returns The step to record.
   */
  fail(
    error: BoundaryError,
    { cause, decision }: { readonly cause?: unknown; readonly decision?: Decision<Action> } = {},
  ): EpisodeStep {
    this.#failure = error;
    this.cause = cause;
    const { state } = this;
    if (decision) this.#advance(decision, { ...state, reward: 0, terminated: false, truncated: false });
    const step = decision ? this.#planned(decision) : {};
    if (this.options.signal?.aborted) return { ...step, truncationReason: 'interrupted' };
    return { ...step, error, truncationReason: truncationReasonOf(error) };
  }

  summary(): EpisodeSummary {
    return summarize(this.state, this.#failure);
  }

  get canSnapshot(): boolean {
    return this.env.snapshot !== undefined && this.env.restore !== undefined && this.hasStarted && !this.#failure;
  }

  /** The whole episode as JSON data; `null` if the environment has no snapshots, or has failed. */
  async snapshot(): Promise<EpisodeSnapshot | null> {
    if (!this.canSnapshot) return null;
    return writeSnapshot(this.env, this.#name, await this.env.snapshot!(), this.state);
  }

  /**
   * Continues from a snapshot. The generator of fallback actions is not part of it.
   *
   * @param id  Default: that of the snapshot.
   * @throws {SnapshotMismatchError} Not a snapshot of such an episode; nothing was changed.
   */
  async restore(given: unknown, id?: string): Promise<void> {
    if (!this.env.restore) {
      throw new GymError('This environment has no snapshots.', { code: 'SNAPSHOT_UNSUPPORTED', value: this.#name });
    }
    const { env, state } = parseSnapshot(given, this.env, this.#name);
    // some environments build their world in reset; restore then puts the saved state into it
    if (!this.#state) await this.env.reset(state.seed === undefined ? {} : { seed: state.seed });
    await this.env.restore(env);
    this.#begin({ ...(state as EpisodeState<Observation, Action, I>), ...(id !== undefined && { id }) });
  }

  /**
   * Another episode in the same state, in a new environment; this one is not changed. From a snapshot where the
   * environment has them and the fork is at the latest turn, else by playing the actions again.
   *
   * @throws {NotForkableError} Neither is possible.
   * @throws {ForkDiffersError} The same actions led to something else.
   */
  async fork(options: ForkOptions<Observation, Action, I> = {}): Promise<Episode<Observation, Action, I>> {
    checkNames('options', options, FORK_OPTIONS);

    const { state } = this;
    const { at = state.stepIndex, id = `${state.id}+`, rng = copyOf(this.rng) } = options;
    const { makeEnv = () => remake(this.env, state.id) } = options;
    const snapshot = at === state.stepIndex ? await this.snapshot() : null;
    if (!snapshot) checkReplayable(state, this.#failure, at);
    const fork = new Episode<Observation, Action, I>({ ...this.options, env: await makeEnv(), rng });
    try {
      if (snapshot) await fork.restore(snapshot, id);
      else await replayInto<Action>(fork, state, at, id);
      return fork;
    } catch (error) {
      await fork.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.env.close();
  }

  get #name(): string {
    return this.env.spec?.id ?? this.env.unwrapped.constructor.name;
  }

  #begin(state: EpisodeState<Observation, Action, I>): void {
    this.#state = state;
    this.#failure = undefined;
    this.cause = undefined;
    this.recorder = undefined;
  }

  /** The result of a turn without an action: the environment does not see it. */
  #leftAlone(observation: Observation, info: I): StepResult<Observation, I> {
    const { fallback, fallbackReward = 0 } = this.options;
    return { observation, info, reward: fallbackReward, terminated: fallback === 'terminate', truncated: false };
  }

  /** Moves on. @returns True if the step limit ends the episode here. */
  #advance({ text, action }: Decision<Action>, result: StepResult<Observation, I>): boolean {
    const limit = Math.min(this.options.maxSteps ?? Number.POSITIVE_INFINITY, stepLimitOf(this.env));
    const turn = { observation: this.state.observation, text, action, reward: result.reward };
    this.#state = afterTurn(this.state, turn, result, limit);
    return this.state.truncated && !result.truncated;
  }

  /** The fields of a step that are known before it is executed. */
  #planned({ action, fallback }: Decision<Action>): EpisodeStep {
    const isAction = action !== undefined && this.env.actionSpace.contains(action);
    return { ...(fallback && { fallback }), ...(isAction && { action }) };
  }

  #inTime<T>(work: () => Awaitable<T>): Awaitable<T> {
    const { environmentTimeoutMs: milliseconds = Number.POSITIVE_INFINITY, signal } = this.options;
    return awaitWithDeadline(work, { what: 'The environment', code: 'ENVIRONMENT_TIMEOUT', milliseconds, signal });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an episode of any environment
export type AnyEpisode = Episode<any, any, any>;
