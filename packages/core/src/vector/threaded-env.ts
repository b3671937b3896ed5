/**
 * One environment in a worker thread, as an `Env`: its steps block neither this thread nor other environments.
 *
 * Seeds, prompts and parsing stay in this thread, so a run has the same bytes as with environments in this process. What an
 * environment throws is thrown here; a thread that dies ends the episodes in it, and the next `reset` starts another one.
 */

import { BaseEnv } from '../base-env.js';
import type { AnyEnv, EnvSnapshot, RenderFrame, ResetOptions, ResetResult, StepResult } from '../env.js';
import { ResetNeededError } from '../errors.js';
import { builtin } from '../files/builtin.js';
import { checkNames } from '../options.js';
import { make } from '../registry/make.js';
import { type MakeOptions, makeShape } from '../registry/make-options.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { checkCount } from './base-vector-env.js';
import { EnvThread, specForThread } from './env-thread.js';
import type { Call } from './worker-protocol.js';

export interface ThreadEnvsOptions extends MakeOptions {
  /** Threads; default one per processor. Environment `index` lives in thread `index % threads`. */
  readonly threads?: number | undefined;
}

const THREAD_ENVS_OPTIONS = [...Object.keys(makeShape), 'threads'];

/**
 * Makes environments whose steps run in threads.
 *
 * @param id  A registered environment whose spec names its module: `register({ id, module, … })`.
 * @returns  Makes the next environment. A thread starts with the first reset of its first environment, and ends when its
 *           environments are closed.
 *
 * @example
 * train({ makeEnv: threadEnvs('vlgym/Points24-v1'), numEnvs: 8, … });
 */
export function threadEnvs(id: string | EnvSpec, given: ThreadEnvsOptions = {}): () => Promise<ThreadedEnv> {
  checkNames('options', given, THREAD_ENVS_OPTIONS);
  const { threads = builtin('node:os').availableParallelism(), ...options } = given;
  checkCount('threads', threads);
  const pool = new ThreadPool(threads);
  let next = 0;
  return async () => {
    const template = (await make(id as string, options)) as AnyEnv;
    try {
      return new ThreadedEnv(template, specForThread(template), pool, next++);
    } catch (error) {
      await template.close();
      throw error;
    }
  };
}

/**
 * Snapshots are made on demand and come as promises. `actionMask` is that of the latest result. Missing are `oracle`,
 * `expert` and what people play with (`keys`, `renderTop`): they compute from the state, which is in the thread.
 */
export class ThreadedEnv extends BaseEnv {
  readonly observationSpace: AnyEnv['observationSpace'];
  readonly actionSpace: AnyEnv['actionSpace'];
  override readonly metadata: AnyEnv['metadata'];
  declare readonly dialogue?: NonNullable<AnyEnv['dialogue']>;
  declare snapshot?: () => Promise<EnvSnapshot>;
  declare restore?: (snapshot: EnvSnapshot) => Promise<void>;
  declare actionMask?: () => Uint8Array;
  readonly #template: AnyEnv;
  readonly #json: string;
  readonly #pool: ThreadPool;
  readonly #index: number;
  #thread: EnvThread | undefined;
  #mask: Uint8Array | undefined;

  /** @param template  The same environment in this thread: for its spaces and its dialogue. It is closed with this one. */
  constructor(template: AnyEnv, json: string, pool: ThreadPool, index: number) {
    super({ renderMode: template.renderMode });
    this.observationSpace = template.observationSpace;
    this.actionSpace = template.actionSpace;
    this.metadata = template.metadata;
    this.spec = template.spec;
    if (template.dialogue) this.dialogue = template.dialogue;
    this.#template = template;
    this.#json = json;
    this.#pool = pool;
    this.#index = index;
    if (template.snapshot && template.restore) {
      this.snapshot = async () => (await this.#call('snapshot')) as EnvSnapshot;
      this.restore = async (snapshot) => void (await this.#call('restore', snapshot));
    }
    if (template.actionMask) this.actionMask = () => this.#currentMask();
  }

  get stepLimit(): number | undefined {
    return this.#template.stepLimit;
  }

  async reset(options: ResetOptions = {}): Promise<ResetResult<unknown>> {
    this.ensureOpen('reset');
    if (!this.#thread || this.#thread.lost) this.#thread = await this.#pool.make(this.#index, this.#json);
    return (await this.#call('reset', options)) as ResetResult<unknown>;
  }

  async step(action: unknown): Promise<StepResult<unknown>> {
    return (await this.#call('step', action)) as StepResult<unknown>;
  }

  override async render(): Promise<RenderFrame> {
    return (await this.#call('render')) as RenderFrame;
  }

  protected override async dispose(): Promise<void> {
    await this.#thread?.close([this.#index]);
    await this.#template.close();
  }

  async #call(method: Call['method'], argument?: unknown): Promise<unknown> {
    this.ensureOpen(method);
    if (!this.#thread) throw new ResetNeededError(method);
    const [answer] = await this.#thread.call([{ env: this.#index, method, argument }]);
    this.#mask = answer!.mask;
    return answer!.result.rest;
  }

  #currentMask(): Uint8Array {
    if (!this.#mask) throw new ResetNeededError('actionMask');
    return this.#mask.slice();
  }
}

/** Threads of environments that are made one after the other. */
class ThreadPool {
  readonly #threads: (EnvThread | undefined)[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** Makes an environment in its thread, which starts if it is not running. */
  async make(env: number, spec: string): Promise<EnvThread> {
    const place = env % this.#size;
    const running = this.#threads[place];
    const thread = running && !running.lost ? running : new EnvThread();
    this.#threads[place] = thread;
    await thread.make({ spec, envs: [env] });
    return thread;
  }
}
