/**
 * A thread with environments, from the main thread: starts it, sends calls, detects its end.
 *
 * Vectors (`WorkerVectorEnv`) and single environments (`ThreadedEnv`) use it.
 */
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { startTimer } from '../async/time-limit.js';
import type { AnyEnv } from '../env.js';
import { GymError } from '../errors.js';
import { builtFile } from '../files/built-file.js';
import { builtin } from '../files/builtin.js';
import { specToJson } from '../registry/spec/spec-json.js';
import { StepTimeoutError } from './env-slot.js';
import { type FailureReason, VectorEnvFailedError } from './vector-env.js';
import type { Answer, Call, ErrorData, Making, Reply, Request } from './worker-protocol.js';

/**
 * Milliseconds added to a thread's time-out. An asynchronous environment is stopped by its own timer first, even on a
 * machine so busy that the thread was not scheduled for a while; only a thread that blocks reaches this limit.
 */
const GRACE_MS = 3_000;
const START_TIMEOUT_MS = 120_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** Limits of a thread, as Node's; written out, so that the types of this package need none of Node. */
export interface WorkerLimits {
  readonly maxOldGenerationSizeMb?: number | undefined;
  readonly maxYoungGenerationSizeMb?: number | undefined;
  readonly codeRangeSizeMb?: number | undefined;
  readonly stackSizeMb?: number | undefined;
}

export interface EnvThreadOptions {
  readonly resourceLimits?: WorkerLimits | undefined;
  /** The compiled `vector/worker.js`, if a bundler has moved it. */
  readonly workerUrl?: URL | undefined;
}

/** The thread has ended, or was terminated because it did not respond. */
export class WorkerLostError extends GymError {
  constructor(
    readonly reason: FailureReason,
    cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`A worker thread was lost: ${why}`, {
      code: 'WORKER_LOST',
      value: reason,
      hint: 'look for `process.exit`, errors outside of `step`, native crashes and memory limits in the environment',
      cause,
    });
  }
}

/** The thread runs, but has not reported that its environments are made. */
export class WorkerStartTimeoutError extends GymError {
  constructor(readonly limitMs: number) {
    super(`A worker thread did not make its environments within ${limitMs} ms.`, {
      code: 'WORKER_START_TIMEOUT',
      value: limitMs,
      expected: 'a message when the environments of the thread are made',
      hint: 'raise `startTimeoutMs`, or check for code that hangs while the environment is imported and made',
    });
  }
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** When to stop waiting for an answer, and why. */
interface Deadline {
  readonly limitMs: number;
  readonly graceMs: number;
  readonly error: () => GymError;
}

export class EnvThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** Environments that live in it. */
  readonly #envs = new Set<number>();
  #next = 0;
  #lost: GymError | undefined;
  #uncaught: unknown;

  /** @throws {GymError} `WORKER_FILE_MISSING` */
  constructor({ resourceLimits, workerUrl }: EnvThreadOptions = {}) {
    const url = builtFile(import.meta.url, WORKER_FILE, workerUrl);
    const options: WorkerOptions = {};
    if (resourceLimits) options.resourceLimits = resourceLimits;
    // a thread inherits Node's arguments, and refuses to start with `--input-type`, which belongs to `--eval`
    if (process.execArgv.some((argument) => argument.startsWith('--input-type'))) options.execArgv = [];
    const worker = new (builtin('node:worker_threads').Worker)(url, options);
    this.#worker = worker;
    worker.unref();
    worker.on('message', (reply: Reply) => this.#waiting.get(reply.id)?.resolve(reply));
    worker.on('messageerror', (error) => this.#lose(new WorkerLostError('worker-crashed', error)));
    worker.on('error', (error) => {
      this.#uncaught = error;
    });
    worker.on('exit', (code) => {
      const cause = this.#uncaught ?? new Error(`it exited with code ${code}`);
      this.#lose(new WorkerLostError('worker-crashed', cause));
    });
  }

  /** A request is pending. */
  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Resolves when the environments are made.
   *
   * @param limitMs  Default two minutes.
   * @throws {WorkerStartTimeoutError}  They are not made in time; the thread is terminated.
   */
  async make(making: Making, limitMs = START_TIMEOUT_MS): Promise<void> {
    for (const env of making.envs) this.#envs.add(env);
    try {
      await this.#ask({ make: making }, { limitMs, graceMs: 0, error: () => new WorkerStartTimeoutError(limitMs) });
    } catch (cause) {
      if (GymError.isInstance(cause)) throw cause;
      throw new GymError((cause as Error).message, { code: 'WORKER_REFUSED', cause });
    }
  }

  /**
   * @param limitMs  Time limit of the thread; it is terminated after a short grace period.
   * @returns  One answer per call.
   * @throws {WorkerLostError}  The thread ends before it responds, or has ended.
   * @throws what an environment threw, after all calls have ended.
   */
  async call(calls: readonly Call[], limitMs?: number): Promise<readonly Answer[]> {
    if (limitMs === undefined) return this.#ask({ calls });
    const error = () => new WorkerLostError('step-timeout', new StepTimeoutError(limitMs));
    return this.#ask({ calls }, { limitMs, graceMs: GRACE_MS, error });
  }

  /** Closes environments, and ends when none is left. If it is busy then, or can no longer close, it ends anyway. */
  async close(envs: readonly number[]): Promise<void> {
    for (const env of envs) this.#envs.delete(env);
    const isLast = this.#envs.size === 0;
    const calls = envs.map((env): Call => ({ env, method: 'close' }));
    if (!isLast || !this.busy) await this.call(calls, isLast ? CLOSE_TIMEOUT_MS : undefined).catch(() => undefined);
    if (this.#envs.size === 0) await this.terminate();
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Keeps the process alive only while a request is pending. */
  async #ask(
    request: { readonly make: Making } | { readonly calls: readonly Call[] },
    deadline?: Deadline,
  ): Promise<readonly Answer[]> {
    if (this.#lost) throw this.#lost;
    const id = this.#next++;
    const stopTimer = deadline && this.#limit(deadline);
    this.#worker.ref();
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#worker.postMessage({ id, ...request } satisfies Request);
      });
      if (!reply.ok) throw errorFrom(reply.error);
      return reply.answers;
    } finally {
      stopTimer?.();
      this.#waiting.delete(id);
      if (!this.busy) this.#worker.unref();
    }
  }

  /** Ends the thread at the deadline; the result cancels that. */
  #limit({ limitMs, graceMs, error }: Deadline): () => void {
    const end = () => {
      this.#lose(error());
      void this.#worker.terminate();
    };
    // The grace starts when this thread sees that the limit is over. If the thread computed in the meantime, or the whole process
    // was stopped, the answer is read first: Node reads messages after timers that are due.
    const grace = () => {
      stop = startTimer(end, graceMs);
    };
    let stop = startTimer(graceMs > 0 ? grace : end, limitMs);
    return () => stop();
  }

  #lose(error: GymError): void {
    this.#lost ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
  }
}

function errorFrom({ name, message, code, isOurs, index, attempts }: ErrorData): Error {
  const cause = Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
  if (index !== undefined) return new VectorEnvFailedError(index, attempts ?? 1, cause);
  return isOurs ? new GymError(message, { code: code!, cause }) : cause;
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

/**
 * The spec of an environment for a thread to make it from.
 *
 * @throws {WorkerNeedsModuleError} It names no module.
 * @throws {SpecJsonError} An option or a wrapper cannot be sent to a thread.
 */
export function specForThread({ spec }: AnyEnv): string {
  if (spec?.module === undefined) throw new WorkerNeedsModuleError(spec?.id);
  return specToJson(spec);
}

const WORKER_FILE = {
  package: '@vlgym/core',
  path: 'vector/worker.js',
  otherwise: 'name the file with `workerUrl`',
} as const;
