/**
 * Environments in worker threads for training: each is stepped, reset and saved by itself, as the lock-step collector
 * needs it (a vector environment steps all or none).
 *
 * Seeds, prompts and parsing stay in this thread, so a run has the same bytes as with environments in this process. The
 * state comes back with every result; `snapshot` reads it, and `restore` reaches the thread before the next step.
 */
import { availableParallelism } from 'node:os';
import {
  type AnyEnv,
  BaseEnv,
  type EnvSnapshot,
  type EnvSpec,
  GymError,
  make,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  specToJson,
} from '@vlgym/core';
import { EnvThread } from './env-thread.js';

export interface ThreadEnvsOptions {
  /** Options of the environment. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Do not check every step against the spaces, as in `make`; default false. */
  readonly disableChecker?: boolean | undefined;
  /** Threads; default one per processor. Environment `index` lives in thread `index % threads`. */
  readonly threads?: number | undefined;
}

/**
 * Makes environments whose steps run in threads, for `train({ makeEnv })`.
 *
 * @param id  A registered environment whose spec names its module: `register({ id, module, … })`.
 * @returns  A function from an index to an environment. Threads end when their environments are closed.
 *
 * @example
 * train({ makeEnv: threadEnvs('vlgym/Points24-v1'), numEnvs: 8, … });
 */
export function threadEnvs(
  id: string | EnvSpec,
  { options = {}, disableChecker = false, threads = availableParallelism() }: ThreadEnvsOptions = {},
): (index: number) => Promise<AnyEnv> {
  const pool: (EnvThread | undefined)[] = [];
  const threadOf = (index: number): EnvThread => {
    const place = index % threads;
    const thread = pool[place];
    if (thread && !thread.isLost) return thread;
    pool[place] = new EnvThread();
    return pool[place];
  };
  // an index may come twice, e.g. for training and evaluation
  let next = 0;
  return async () => {
    const template = (await make(id as string, { options, disableChecker })) as AnyEnv;
    if (template.spec?.module !== undefined) return new ThreadEnv(template, next++, threadOf);
    await template.close();
    throw new GymError(`"${template.spec?.id}" cannot be made in a thread.`, {
      code: 'WORKER_NEEDS_MODULE',
      value: template.spec?.id,
      expected: 'an environment made from a spec with a `module`',
      hint: 'register({ id, module: import.meta.url, entryPoint }) names it',
    });
  };
}

class ThreadEnv extends BaseEnv {
  readonly observationSpace: AnyEnv['observationSpace'];
  readonly actionSpace: AnyEnv['actionSpace'];
  declare readonly dialogue: NonNullable<AnyEnv['dialogue']>;
  declare snapshot?: () => EnvSnapshot;
  declare restore?: (snapshot: EnvSnapshot) => void;
  readonly #template: AnyEnv;
  readonly #index: number;
  readonly #threadOf: (index: number) => EnvThread;
  readonly #json: string;
  #state: EnvSnapshot | undefined;
  /** A restored state that the thread does not have yet. */
  #restored: EnvSnapshot | undefined;

  constructor(template: AnyEnv, index: number, threadOf: (index: number) => EnvThread) {
    super(template.renderMode === undefined ? {} : { renderMode: template.renderMode });
    this.observationSpace = template.observationSpace;
    this.actionSpace = template.actionSpace;
    this.spec = template.spec;
    if (template.dialogue) this.dialogue = template.dialogue;
    this.#template = template;
    this.#index = index;
    this.#threadOf = threadOf;
    this.#json = specToJson(template.spec!);
    if (!template.snapshot) return;
    this.snapshot = () => this.#state!;
    this.restore = (snapshot) => {
      this.#state = snapshot;
      this.#restored = snapshot;
    };
  }

  get stepLimit(): number | undefined {
    return this.#template.stepLimit;
  }

  async reset(options: ResetOptions = {}): Promise<ResetResult<unknown>> {
    const thread = this.#threadOf(this.#index);
    if (!thread.made.has(this.#index)) {
      await thread.ask(this.#index, 'make', this.#json);
      thread.made.add(this.#index);
    }
    this.#restored = undefined;
    return (await this.#ask('reset', options)) as ResetResult<unknown>;
  }

  async step(action: unknown): Promise<StepResult<unknown>> {
    if (this.#restored) {
      const restored = this.#restored;
      this.#restored = undefined;
      await this.#ask('restore', restored);
    }
    return (await this.#ask('step', action)) as StepResult<unknown>;
  }

  protected override async dispose(): Promise<void> {
    const thread = this.#threadOf(this.#index);
    await this.#template.close();
    if (!thread.made.delete(this.#index)) return;
    await thread.ask(this.#index, 'close', undefined).catch(() => undefined);
    if (thread.made.size === 0) await thread.terminate();
  }

  async #ask(call: 'reset' | 'step' | 'restore', argument: unknown): Promise<unknown> {
    const { result, snapshot } = await this.#threadOf(this.#index).ask(this.#index, call, argument);
    this.#state = snapshot as EnvSnapshot | undefined;
    return result;
  }
}
