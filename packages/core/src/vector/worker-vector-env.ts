/**
 * Environments in worker threads: for those that compute (rendering, physics, search) rather than wait.
 *
 * Each thread makes its share of the environments from the spec. Pictures go through shared memory. A thread that dies or
 * hangs ends only the running episodes of its environments, which become `truncated`: it is restarted, and the other
 * threads are not affected.
 */

import { settleAll } from '../async/settle-all.js';
import type { Env, Info, RenderFrame, ResetResult, StepResult } from '../env.js';
import { ClosedError, GymError } from '../errors.js';
import { specToJson } from '../registry/spec-json.js';
import type { Space } from '../spaces/space.js';
import { BaseVectorEnv, checkCount, type ResetPlan, type VectorOptions } from './base-vector-env.js';
import { failedStep, mergeSameStep, type SlotHistory } from './env-slot.js';
import { packedSize, unpack } from './packed.js';
import type { SlotSnapshot, VectorSnapshot } from './vector-env.js';
import { WorkerHandle, WorkerLostError } from './worker-handle.js';
import type { Reply, Request, SharedMemory, WorkerSetup } from './worker-protocol.js';

/** Threads started for one request before the vector gives up. */
const START_ATTEMPTS = 3;
const CLOSE_TIMEOUT_MS = 5_000;

/** Limits of a thread, as Node's; written out, so that the types of this package need none of Node. */
export interface WorkerLimits {
  readonly maxOldGenerationSizeMb?: number | undefined;
  readonly maxYoungGenerationSizeMb?: number | undefined;
  readonly codeRangeSizeMb?: number | undefined;
  readonly stackSizeMb?: number | undefined;
}

export interface WorkerVectorOptions extends VectorOptions {
  /** Threads; default one per processor, at most one per environment. */
  readonly workers?: number | undefined;
  /**
   * Time limit in milliseconds of one step of one environment; a waiting environment that exceeds it ends only its own
   * episode. A thread that blocks longer (plus three seconds, for a busy machine) is terminated and restarted; all running
   * episodes in it end with `step-timeout`. Default: no limit.
   */
  readonly stepTimeoutMs?: number | undefined;
  /** The same for a reset; default ten times `stepTimeoutMs`. */
  readonly resetTimeoutMs?: number | undefined;
  /** Time limit in milliseconds for a thread to import and make its environments; default two minutes. */
  readonly startTimeoutMs?: number | undefined;
  /**
   * False (default): results own their bytes. True: pictures and arrays are views into shared memory, valid until the
   * second next call of `reset` or `step`; copy them to keep them.
   */
  readonly shareObservations?: boolean | undefined;
  /** Memory limits of each thread. */
  readonly resourceLimits?: WorkerLimits | undefined;
  /** The compiled `vector/worker.js`, if a bundler has moved it. */
  readonly workerUrl?: URL | undefined;
}

interface Thread {
  readonly indices: readonly number[];
  handle: WorkerHandle;
}

export class WorkerVectorEnv<Observation = unknown, Action = unknown, I extends Info = Info> extends BaseVectorEnv<
  Observation,
  Action,
  I
> {
  readonly #template: Env<Observation, Action, I>;
  readonly #options: WorkerVectorOptions;
  readonly #setup: Omit<WorkerSetup, 'indices' | 'histories'>;
  readonly #threads: Thread[] = [];
  readonly #histories: SlotHistory[];
  readonly #masks: (Uint8Array | undefined)[];
  /** The environments in the middle of an episode. */
  readonly #running: boolean[];
  /** Episodes that ended with their thread and have not been reported yet. */
  readonly #lost = new Map<number, WorkerLostError>();
  #buffer: 0 | 1 = 0;

  private constructor(template: Env<Observation, Action, I>, spec: string, options: WorkerVectorOptions) {
    super(template, options);
    const { numEnvs, autoreset = 'next-step', stepTimeoutMs } = options;
    this.#template = template;
    this.#options = options;
    const memory = sharedMemory(template.observationSpace, numEnvs, autoreset === 'same-step');
    this.#setup = { spec, autoreset, stepTimeoutMs, memory };
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
      const { spec } = template;
      if (spec?.module === undefined) throw new WorkerNeedsModuleError(spec?.id);
      vector = new WorkerVectorEnv(template, specToJson(spec), options);
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

  protected override async snapshotSlots(): Promise<SlotSnapshot[]> {
    return this.#gather(async (thread) => [...(await this.#ask(thread, { type: 'snapshot' })).slots!]);
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
      await this.#ask(thread, { type: 'restore', slots: thread.indices.map((index) => slots[index]!) });
      for (const index of thread.indices) {
        this.#lost.delete(index);
        this.#running[index] = !slots[index]!.over;
      }
      return thread.indices;
    });
  }

  protected override async renderSlots(): Promise<RenderFrame[]> {
    return this.#gather(async (thread) => [...(await this.#ask(thread, { type: 'render' })).frames!]);
  }

  protected override async closeSlots(): Promise<void> {
    await Promise.all(
      this.#threads.map(async ({ handle }) => {
        // a thread that is busy or can no longer close is terminated anyway
        if (!handle.busy) await handle.ask({ type: 'close' }, CLOSE_TIMEOUT_MS).catch(() => undefined);
        await handle.terminate();
      }),
    );
    await this.#template.close();
  }

  async #startAll(): Promise<void> {
    const { numEnvs } = this;
    const { availableParallelism } = await import('node:os');
    const count = Math.min(this.#options.workers ?? availableParallelism(), numEnvs);
    const shares = Array.from({ length: count }, (_, worker) =>
      range(Math.floor((worker * numEnvs) / count), Math.floor(((worker + 1) * numEnvs) / count)),
    );
    await settleAll(
      shares.map(async (indices) => {
        const handle = await WorkerHandle.start({ ...this.#setup, indices, histories: undefined }, this.#options);
        this.#threads.push({ indices, handle });
      }),
    );
    this.#threads.sort((a, b) => a.indices[0]! - b.indices[0]!);
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
    const plan = thread.indices.map(planFor);
    const planned = plan.filter(Boolean).length;
    if (planned === 0) return plan.map(() => undefined);
    const limit = this.#resetLimit();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const request = { type: 'reset' as const, buffer: this.#buffer, plan };
        const { results } = await this.#ask(thread, request, limit && limit * planned);
        return results!.map((packed, position) => {
          if (!packed) return undefined;
          const index = thread.indices[position]!;
          this.#lost.delete(index);
          this.#running[index] = true;
          return this.#unpack(packed) as ResetResult<unknown>;
        });
      } catch (error) {
        if (!(error instanceof WorkerLostError) || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  async #stepThread(thread: Thread, actions: ArrayLike<Action>): Promise<StepResult<unknown>[]> {
    const { indices } = thread;
    const answered = await this.#askForSteps(thread, actions);

    // results that the thread did not return: episodes that ended with it, and episodes that it could not start
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
    return indices.map((_, position) => {
      const start = first[position];
      const last = answered[position] ?? lastSteps[position];
      if (!start) return last!;
      return last ? mergeSameStep(last, start) : { ...start, reward: 0, terminated: false, truncated: false };
    });
  }

  /** Steps of one thread; `undefined` for environments whose episode is lost; all of them if the thread dies during the step. */
  async #askForSteps(thread: Thread, actions: ArrayLike<Action>): Promise<(StepResult<unknown> | undefined)[]> {
    const { indices } = thread;
    const entries = indices.map((index) => (this.#lost.has(index) ? undefined : { action: actions[index] }));
    if (!entries.some(Boolean)) return indices.map(() => undefined);
    try {
      const request = { type: 'step' as const, buffer: this.#buffer, actions: entries };
      const { results } = await this.#ask(thread, request, this.#stepLimit(indices));
      return results!.map((packed, position) => {
        if (!packed) return undefined;
        const result = this.#unpack(packed) as StepResult<unknown>;
        const ended = result.terminated || result.truncated;
        this.#running[indices[position]!] = !ended || this.metadata.autoresetMode === 'same-step';
        return result;
      });
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error;
      return indices.map(() => undefined);
    }
  }

  /** One request; if the thread is lost, a new one is ready before the error is thrown. */
  async #ask(thread: Thread, request: Request, limitMs?: number): Promise<Reply & { ok: true }> {
    try {
      const reply = await thread.handle.ask(request, limitMs);
      thread.indices.forEach((index, position) => {
        this.#histories[index] = reply.histories[position]!;
        this.#masks[index] = reply.masks[position];
      });
      return reply;
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
    await thread.handle.terminate();
    for (let attempt = 1; ; attempt += 1) {
      const histories = indices.map((index) => {
        const { seed, restarts } = this.#histories[index]!;
        this.#histories[index] = { seed, restarts: restarts + 1 };
        return this.#histories[index];
      });
      try {
        thread.handle = await WorkerHandle.start({ ...this.#setup, indices, histories }, this.#options);
        return;
      } catch (cause) {
        if (attempt === START_ATTEMPTS) throw new WorkerRestartError(indices, attempt, cause);
      }
    }
  }

  #unpack(packed: Parameters<typeof unpack>[0]): unknown {
    return unpack(packed, this.#setup.memory?.buffer, this.#options.shareObservations ?? false);
  }

  #resetLimit(): number | undefined {
    const { stepTimeoutMs, resetTimeoutMs = stepTimeoutMs && 10 * stepTimeoutMs } = this.#options;
    return resetTimeoutMs;
  }

  /** The thread steps one environment after the other, and some of them may start an episode. */
  #stepLimit(indices: readonly number[]): number | undefined {
    const { stepTimeoutMs } = this.#options;
    if (stepTimeoutMs === undefined) return undefined;
    const resets =
      this.metadata.autoresetMode === 'same-step'
        ? indices.length
        : indices.filter((index) => !this.#running[index]).length;
    return indices.length * stepTimeoutMs + resets * this.#resetLimit()!;
  }
}

/** The spec does not name the module that a thread has to import. */
export class WorkerNeedsModuleError extends GymError {
  constructor(readonly id: string | undefined) {
    super(`${id === undefined ? 'The environment' : `"${id}"`} cannot be made in a worker thread.`, {
      code: 'WORKER_NEEDS_MODULE',
      value: id,
      expected: 'an environment made from a spec with a `module`',
      hint: "register({ id, module: import.meta.url, entryPoint }) names it; or use vectorization 'serial' or 'concurrent'",
    });
  }
}

/** A lost thread could not be restarted; the vector cannot continue. */
export class WorkerRestartError extends GymError {
  constructor(
    readonly indices: readonly number[],
    readonly attempts: number,
    cause: unknown,
  ) {
    super(`The thread of the environments ${indices.join(', ')} could not be restarted in ${attempts} attempts.`, {
      code: 'WORKER_RESTART',
      value: indices,
      hint: 'see the cause: an error while the environment was made',
      cause,
    });
  }
}

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, offset) => start + offset);

/** Bytes for all arrays of an observation, two buffers per environment; doubled if a result has two observations. */
function sharedMemory(space: Space, numEnvs: number, twice: boolean): SharedMemory | undefined {
  const slotBytes = packedSize(space.sample()) * (twice ? 2 : 1);
  return slotBytes === 0 ? undefined : { buffer: new SharedArrayBuffer(2 * numEnvs * slotBytes), slotBytes };
}
