/**
 * Environments in worker threads: for those that compute (rendering, physics, search) rather than wait.
 *
 * Each thread makes its share of the environments from the spec. Pictures go through shared memory. A thread that dies or
 * hangs ends only the running episodes of its environments, which become `truncated`: it is restarted, and the other
 * threads are not affected.
 */
import { settleAll } from '../async/settle-all.js';
import type { Env, Info, RenderFrame, ResetResult, StepResult } from '../env.js';
import { ClosedError } from '../errors.js';
import { checkNames } from '../options.js';
import { BaseVectorEnv, checkCount, type ResetPlan } from './base-vector-env.js';
import { failedStep, restarted, type SlotHistory, withStart } from './env-slot.js';
import { EnvThread, specForThread, WorkerLostError } from './env-thread.js';
import { unpack } from './packed.js';
import type { SlotSnapshot, VectorSnapshot } from './vector-env.js';
import { type Answer, type Call, type SlotSetup, sharedMemory } from './worker-protocol.js';
import { WorkerRestartError } from './worker-restart-error.js';
import { TimeLimits, WORKER_OPTIONS, type WorkerVectorOptions } from './worker-vector-options.js';

/** Threads started for one request before the vector gives up. */
const START_ATTEMPTS = 3;

interface Thread {
  readonly indices: readonly number[];
  worker: EnvThread;
}

export class WorkerVectorEnv<Observation = unknown, Action = unknown, I extends Info = Info> extends BaseVectorEnv<
  Observation,
  Action,
  I
> {
  readonly #template: Env<Observation, Action, I>;
  readonly #options: WorkerVectorOptions;
  readonly #limits: TimeLimits;
  readonly #spec: string;
  readonly #setup: Omit<SlotSetup, 'histories'>;
  readonly #threads: Thread[] = [];
  readonly #histories: SlotHistory[];
  readonly #masks: (Uint8Array | undefined)[];
  /** The environments in the middle of an episode. */
  readonly #running: boolean[];
  /** Episodes that ended with their thread and have not been reported yet. */
  readonly #lost = new Map<number, WorkerLostError>();
  #buffer: 0 | 1 = 0;

  private constructor(template: Env<Observation, Action, I>, spec: string, options: WorkerVectorOptions) {
    checkNames('options', options, WORKER_OPTIONS);
    super(template, options);
    const { numEnvs, autoreset = 'next-step', stepTimeoutMs } = options;
    this.#template = template;
    this.#options = options;
    this.#limits = new TimeLimits(options);
    const memory = sharedMemory(template.observationSpace, numEnvs, autoreset === 'same-step');
    this.#spec = spec;
    this.#setup = { autoreset, stepTimeoutMs, memory };
    this.#histories = Array.from({ length: numEnvs }, () => ({ seed: undefined, restarts: 0 }));
    this.#masks = new Array<undefined>(numEnvs).fill(undefined);
    this.#running = new Array<boolean>(numEnvs).fill(false);
  }

  /**
   * @param template  An environment made from a spec with a `module`; the vector takes its spaces, dialogue and spec
   *                  from it, never steps it, and closes it.
   * @throws {GymError} `WORKER_NEEDS_MODULE`: the spec does not name the module to import.
   * @throws {WorkerStartTimeoutError} A thread did not make its environments in time.
   * @throws {SpecJsonError} An option or a wrapper cannot be sent to a thread.
   */
  static async create<Observation, Action, I extends Info>(
    template: Env<Observation, Action, I>,
    options: WorkerVectorOptions,
  ): Promise<WorkerVectorEnv<Observation, Action, I>> {
    let vector: WorkerVectorEnv<Observation, Action, I> | undefined;
    try {
      checkCount('numEnvs', options.numEnvs);
      checkCount('workers', options.workers ?? 1);
      vector = new WorkerVectorEnv(template, specForThread(template), options);
      await vector.#startAll();
      return vector;
    } catch (error) {
      await (vector ?? template).close();
      throw error;
    }
  }

  override actionMasks(): (Uint8Array | undefined)[] {
    return this.#masks.map((mask) => mask?.slice());
  }

  /** Threads, each with the indices of its environments. */
  get assignment(): readonly (readonly number[])[] {
    return this.#threads.map(({ indices }) => indices);
  }

  protected override async resetSlots(plan: ResetPlan): Promise<(ResetResult<unknown> | undefined)[]> {
    this.#buffer = this.#buffer === 0 ? 1 : 0;
    return this.#gather((thread) => this.#resetThread(thread, (index) => plan[index]));
  }

  protected override async stepSlots(actions: ArrayLike<Action>): Promise<StepResult<unknown>[]> {
    this.#buffer = this.#buffer === 0 ? 1 : 0;
    return this.#gather((thread) => this.#stepThread(thread, actions));
  }

  protected override snapshotSlots(): Promise<SlotSnapshot[]> {
    return this.#askAll<SlotSnapshot>('snapshot');
  }

  protected override async restoreSlots(slots: VectorSnapshot['slots']): Promise<void> {
    const before = await this.snapshotSlots().catch(() => undefined);
    try {
      await this.#restoreAll(slots);
    } catch (error) {
      if (before && !(error instanceof WorkerLostError)) await this.#restoreAll(before);
      throw error;
    }
  }

  async #restoreAll(slots: VectorSnapshot['slots']): Promise<void> {
    await this.#gather(async (thread) => {
      const calls = thread.indices.map((env): Call => ({ env, method: 'restore', argument: slots[env] }));
      await this.#ask(thread, calls);
      for (const index of thread.indices) {
        this.#lost.delete(index);
        this.#running[index] = !slots[index]!.over;
      }
      return thread.indices;
    });
  }

  protected override renderSlots(): Promise<RenderFrame[]> {
    return this.#askAll<RenderFrame>('render');
  }

  /** One call without arguments to every environment. */
  async #askAll<T>(method: 'render' | 'snapshot'): Promise<T[]> {
    return this.#gather(async (thread) => {
      const calls = thread.indices.map((env) => ({ env, method }));
      const answers = await this.#ask(thread, calls);
      return answers.map(({ result }) => result.rest as T);
    });
  }

  protected override async closeSlots(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker, indices }) => worker.close(indices)));
    await this.#template.close();
  }

  async #startAll(): Promise<void> {
    const { availableParallelism } = await import('node:os');
    const count = Math.min(this.#options.workers ?? availableParallelism(), this.numEnvs);
    const first = (worker: number) => Math.floor((worker * this.numEnvs) / count);
    const shares = Array.from({ length: count }, (_, worker) => range(first(worker), first(worker + 1)));
    // each at once: if another does not start, `close` ends it
    const start = async (indices: readonly number[]) => {
      this.#threads.push({ indices, worker: await this.#start(indices, undefined) });
    };
    await settleAll(shares.map(start));
    this.#threads.sort((a, b) => a.indices[0]! - b.indices[0]!);
  }

  async #start(envs: readonly number[], histories: readonly SlotHistory[] | undefined): Promise<EnvThread> {
    const worker = new EnvThread(this.#options);
    try {
      await worker.make({ spec: this.#spec, envs, slots: { ...this.#setup, histories } }, this.#options.startTimeoutMs);
      return worker;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** Sends a request to every thread and waits for all; results in the order of the environments. */
  async #gather<T>(ask: (thread: Thread) => Promise<readonly T[]>): Promise<T[]> {
    return ([] as T[]).concat(...(await settleAll(this.#threads.map(ask))));
  }

  /** Resets the planned environments of one thread, in a new thread if necessary. */
  async #resetThread(
    thread: Thread,
    planFor: (index: number) => ResetPlan[number],
  ): Promise<(ResetResult<unknown> | undefined)[]> {
    const buffer = this.#buffer;
    const calls = thread.indices.flatMap((env): Call[] => {
      const argument = planFor(env);
      return argument ? [{ env, method: 'reset', argument, buffer }] : [];
    });
    const limit = this.#limits.reset;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const results = await this.#results<ResetResult<unknown>>(thread, calls, limit && limit * calls.length);
        for (const { env } of calls) {
          this.#lost.delete(env);
          this.#running[env] = true;
        }
        return results;
      } catch (error) {
        if (!(error instanceof WorkerLostError) || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  async #stepThread(thread: Thread, actions: ArrayLike<Action>): Promise<StepResult<unknown>[]> {
    const { indices } = thread;
    const answered = await this.#askForSteps(thread, actions);

    // what the thread did not return: episodes that ended with it, and episodes that it could not start
    const lastSteps = indices.map((index, position) => {
      const error = this.#lost.get(index);
      if (answered[position] || !error) return undefined;
      this.#lost.delete(index);
      return failedStep(this.latest(index), error.reason, error.cause);
    });
    const isSameStep = this.metadata.autoresetMode === 'same-step';
    const first = await this.#resetThread(thread, (index) => {
      const position = index - indices[0]!;
      return answered[position] || (lastSteps[position] && !isSameStep) ? undefined : {};
    });
    return indices.map((_, position) => withStart(answered[position] ?? lastSteps[position], first[position]));
  }

  /** Steps of one thread; `undefined` for environments whose episode is lost; all of them if the thread dies during the step. */
  async #askForSteps(thread: Thread, actions: ArrayLike<Action>): Promise<(StepResult<unknown> | undefined)[]> {
    const { indices } = thread;
    const buffer = this.#buffer;
    const calls = indices
      .filter((index) => !this.#lost.has(index))
      .map((env): Call => ({ env, method: 'step', argument: actions[env], buffer }));
    const isSameStep = this.metadata.autoresetMode === 'same-step';
    const resets = indices.filter((index) => isSameStep || !this.#running[index]).length;
    try {
      const results = await this.#results<StepResult<unknown>>(
        thread,
        calls,
        this.#limits.steps(indices.length, resets),
      );
      for (const [position, result] of results.entries()) {
        const ended = result?.terminated || result?.truncated;
        if (result) this.#running[indices[position]!] = !ended || isSameStep;
      }
      return results;
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error;
      return indices.map(() => undefined);
    }
  }

  /** Results of calls to some environments of a thread, one per environment of the thread. */
  async #results<T>(thread: Thread, calls: readonly Call[], limitMs: number | undefined): Promise<(T | undefined)[]> {
    const results = thread.indices.map((): T | undefined => undefined);
    if (calls.length === 0) return results;
    const answers = await this.#ask(thread, calls, limitMs);
    const { memory } = this.#setup;
    for (const [position, { env }] of calls.entries()) {
      const { result } = answers[position]!;
      results[env - thread.indices[0]!] = unpack(result, memory?.buffer, this.#options.shareObservations ?? false) as T;
    }
    return results;
  }

  /** One request; if the thread is lost, a new one is ready before the error is thrown. */
  async #ask(thread: Thread, calls: readonly Call[], limitMs?: number): Promise<readonly Answer[]> {
    try {
      const answers = await thread.worker.call(calls, limitMs);
      for (const [position, { env }] of calls.entries()) {
        const { history, mask } = answers[position]!;
        this.#histories[env] = history!;
        this.#masks[env] = mask;
      }
      return answers;
    } catch (error) {
      if (error instanceof WorkerLostError) await this.#replace(thread, error);
      throw error;
    }
  }

  async #replace(thread: Thread, error: WorkerLostError): Promise<void> {
    if (this.closed) throw new ClosedError('step');
    const { indices } = thread;
    for (const index of indices) {
      if (this.#running[index]) this.#lost.set(index, error);
      this.#running[index] = false;
      this.#masks[index] = undefined;
    }
    await thread.worker.terminate();
    for (let attempt = 1; ; attempt += 1) {
      for (const index of indices) this.#histories[index] = restarted(this.#histories[index]!);
      const histories = indices.map((index) => this.#histories[index]!);
      try {
        thread.worker = await this.#start(indices, histories);
        return;
      } catch (cause) {
        if (attempt === START_ATTEMPTS) throw new WorkerRestartError(indices, attempt, cause);
      }
    }
  }
}

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, offset) => start + offset);
