/** The lanes of an evaluation: several episodes side by side, each lane with its own environment. */
import { setMaxListeners } from 'node:events';
import { type AnyEnv, type Awaitable, GymError } from '@vlgym/core';
import { defaultEpisodeId, settleAll } from '@vlgym/core/internal';
import type { TrajectoryWriter } from '@vlgym/core/trajectory';
import { version } from '../../package.json';
import type { AnyAgent } from '../agent.js';
import { awaitWithDeadline, TimeoutError } from '../deadline.js';
import { AgentFailedError } from '../errors.js';
import { observed } from '../observer.js';
import { type EpisodeScope, inScope } from '../scope.js';
import { observedTurn } from './observed-turn.js';
import { type EpisodePlan, episodeGenerator } from './plan.js';
import { failedResetRow, type PlayedEpisode, type PlayOptions, playEpisode } from './play-episode.js';
import { environmentOf } from './result.js';
import type { EvaluationRules } from './resume.js';
import type { EpisodeRow } from './rows.js';
import { TurnBatcher } from './turn-batcher.js';
import type { Stopped } from './types.js';

export interface RunOptions
  extends Pick<
    PlayOptions,
    'isSuccess' | 'category' | 'environmentTimeoutMs' | 'resetOptions' | 'onStep' | 'observer'
  > {
  readonly onPart: EpisodeScope['onPart'];
  readonly agent: AnyAgent;
  readonly parallel: number;
  readonly settings: EvaluationRules;
  /** An environment that is open already; the first lane takes it. */
  readonly first: AnyEnv;
  /** Opens another environment; `undefined` if the caller gave a single one, which stays open. */
  readonly openEnv: (() => Promise<AnyEnv>) | undefined;
  readonly writer: TrajectoryWriter | undefined;
  readonly failFast: boolean;
  readonly onEpisode: (row: EpisodeRow, cause: unknown) => Awaitable<void>;
  readonly signal: AbortSignal | undefined;
}

/** Evaluations of this process, so that episode ids of several do not repeat. */
let evaluations = 0;

/** Plays all plans, or stops early: at the caller's signal, when the budget is exhausted, when a player quits. */
export async function playAll(plans: readonly EpisodePlan[], options: RunOptions): Promise<Stopped | undefined> {
  const { signal } = options;
  const run = new EvaluationRun(plans, options);
  const interrupt = () => run.abort(signal?.reason);
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    return await run.play();
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

class EvaluationRun {
  readonly #queue: EpisodePlan[];
  readonly #options: RunOptions;
  readonly #lanes: number;
  readonly #batcher: TurnBatcher | undefined;
  readonly #stop = new AbortController();
  readonly #number: number;
  #hasReset = false;
  #stopped: Stopped | undefined;

  constructor(plans: readonly EpisodePlan[], options: RunOptions) {
    this.#queue = [...plans];
    this.#options = options;
    evaluations += 1;
    this.#number = evaluations;
    this.#lanes = Math.min(options.parallel, plans.length);
    this.#batcher = options.agent.actBatch ? new TurnBatcher(options.agent, this.#lanes) : undefined;
    setMaxListeners(0, this.#stop.signal); // every lane adds a listener
  }

  abort(reason: unknown): void {
    this.#stopped ??= 'interrupted';
    this.#stop.abort(reason);
  }

  async play(): Promise<Stopped | undefined> {
    const lanes = Array.from({ length: this.#lanes }, (_, lane) =>
      this.#lane(lane === 0 ? this.#options.first : undefined),
    );
    // wait for all lanes before throwing: none may keep running after this call
    await settleAll(lanes);
    return this.#stopped;
  }

  async #lane(given: AnyEnv | undefined): Promise<void> {
    let env = given;
    try {
      for (let plan = this.#next(); plan; plan = this.#next()) {
        const played = await this.#episode(env, plan);
        env = played.env;
        const { row, cause } = played;
        if (row.truncationReason === 'budget') this.#stopped ??= 'budget';
        if (row.truncationReason === 'interrupted') this.#stopped ??= 'interrupted';
        await this.#options.onEpisode(row, cause);
        if (this.#options.failFast && row.error?.boundary === 'agent' && row.truncationReason !== 'interrupted') {
          throw new AgentFailedError(row.id, row.error, cause);
        }
      }
    } catch (error) {
      this.abort(error);
      throw error;
    } finally {
      this.#batcher?.leave();
      await this.#close(env);
    }
  }

  #next(): EpisodePlan | undefined {
    return this.#stopped ? undefined : this.#queue.shift();
  }

  /** The row, and the environment to reuse for the lane's next episode; absent after a failure, because a new one is safer. */
  async #episode(
    given: AnyEnv | undefined,
    plan: EpisodePlan,
  ): Promise<PlayedEpisode & { readonly env: AnyEnv | undefined }> {
    const { agent, settings, writer, openEnv, first, ...rest } = this.#options;
    const { signal } = this.#stop;
    const id = `${defaultEpisodeId(first, plan.seed)}${plan.repeat === 0 ? '' : `-${plan.repeat}`}`;
    let env: AnyEnv;
    try {
      env = given ?? (await openEnv!());
    } catch (error) {
      return { row: failedResetRow({ id, plan, signal }, error), cause: error, env: undefined };
    }
    const { fallback, maxSteps } = settings;
    const { seed, repeat } = plan;
    const scope: EpisodeScope = { id, seed, repeat, step: 0, observer: rest.observer, onPart: rest.onPart };
    const options: PlayOptions = {
      ...rest,
      fallback,
      maxSteps,
      env,
      plan,
      rng: episodeGenerator(plan),
      id,
      episodeId: `${this.#number}/${id}`,
      signal,
      begin: agent.begin && ((episode) => agent.begin!(episode)),
      end: agent.end && ((outcome) => agent.end!(outcome)),
      refusesSetup: (error) => !this.#hasReset && isRefusal(error),
      onReset: () => {
        this.#hasReset = true;
      },
      act: (context) => {
        scope.step = context.stepIndex;
        const take = () => this.#batcher?.act(context, plan.index) ?? agent.act(context);
        return rest.observer ? observedTurn(rest.observer, agent.name, scope.id, context, take) : take();
      },
      record:
        writer &&
        (async (start) => {
          const recorder = await writer.start({
            ...start,
            id,
            seed: plan.seed,
            options: rest.resetOptions,
            agent: { name: agent.name },
            createdBy: { '@vlgym/agents': version },
            metadata: { repeat: plan.repeat, ...settings },
          });
          scope.id = recorder.id;
          return recorder;
        }),
    };
    const what = () => ({ kind: 'episode', id, seed, repeat, agent: agent.name, ...environmentOf(env) }) as const;
    const played = await inScope(scope, () =>
      observed(rest.observer, what, async (done) => {
        const result = await playEpisode(options);
        const { success, counted, return: sum, length, usage, error } = result.row;
        done({ success, counted, return: sum, length, usage, error });
        return result;
      }),
    );
    if (played.row.error?.boundary !== 'environment' || !openEnv) return { ...played, env };
    await this.#close(env);
    return { ...played, env: undefined };
  }

  async #close(env: AnyEnv | undefined): Promise<void> {
    if (env && this.#options.openEnv) await closeQuietly(env, this.#options.environmentTimeoutMs);
  }
}

/** An environment that fails at its first reset with its own error (missing data, a wrong option) fails at every reset. */
const isRefusal = (error: unknown) => GymError.isInstance(error) && !(error instanceof TimeoutError);

/** All results are in; errors and time-outs of closing are ignored. */
export async function closeQuietly(env: AnyEnv, milliseconds: number): Promise<void> {
  try {
    await awaitWithDeadline(() => env.close(), { what: 'The environment', code: 'ENVIRONMENT_TIMEOUT', milliseconds });
  } catch {}
}
