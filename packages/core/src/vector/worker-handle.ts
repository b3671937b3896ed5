/** One thread of a worker vector, from the main thread: starts it, sends requests, detects its end. */
import type { ResourceLimits, Worker, WorkerOptions } from 'node:worker_threads';
import { GymError } from '../errors.js';
import { builtin } from '../files/builtin.js';
import { StepTimeoutError } from './env-slot.js';
import { type FailureReason, VectorEnvFailedError } from './vector-env.js';
import type { Reply, Request, WorkerSetup } from './worker-protocol.js';

/**
 * Milliseconds added to a thread's time-out. An asynchronous environment is stopped by its own timer first, even on a
 * machine so busy that the thread was not scheduled for a while; only a thread that blocks reaches this limit.
 */
const GRACE_MS = 3_000;
const START_TIMEOUT_MS = 120_000;
/** Maximum delay of a timer; longer ones fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface WorkerHandleOptions {
  readonly resourceLimits?: ResourceLimits | undefined;
  /** The compiled `vector/worker.js`, if a bundler has moved it. */
  readonly workerUrl?: URL | undefined;
  /** Time limit in milliseconds for making the environments of the thread; default two minutes. */
  readonly startTimeoutMs?: number | undefined;
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

export class WorkerHandle {
  readonly #worker: Worker;
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;
  #lost: GymError | undefined;
  #uncaught: unknown;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: Reply) => this.#settle()?.resolve(reply));
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
    return this.#waiting !== undefined;
  }

  /**
   * Resolves when the environments of the thread are made.
   *
   * @throws {WorkerStartTimeoutError}  They are not made in time; the thread is terminated.
   */
  static async start(
    setup: WorkerSetup,
    { resourceLimits, workerUrl, startTimeoutMs = START_TIMEOUT_MS }: WorkerHandleOptions,
  ): Promise<WorkerHandle> {
    const { Worker } = await import('node:worker_threads');
    const options: WorkerOptions = { workerData: setup };
    if (resourceLimits) options.resourceLimits = resourceLimits;
    // a thread inherits Node's arguments, and refuses to start with `--input-type`, which belongs to `--eval`
    if (process.execArgv.some((argument) => argument.startsWith('--input-type'))) options.execArgv = [];
    const url = workerUrl ?? defaultWorkerUrl();
    if (url.protocol === 'file:' && !builtin('node:fs').existsSync(url)) throw new WorkerFileMissingError(url);
    const handle = new WorkerHandle(new Worker(url, options));
    try {
      await handle.#answer(startTimeoutMs, () => new WorkerStartTimeoutError(startTimeoutMs));
    } catch (error) {
      await handle.terminate();
      throw error;
    }
    return handle;
  }

  /**
   * @param limitMs  Time limit of the thread; it is terminated after a short grace period.
   * @throws {WorkerLostError}  The thread ends before it responds, or has ended.
   */
  async ask(request: Request, limitMs?: number): Promise<Reply & { ok: true }> {
    if (this.#lost) throw this.#lost;
    this.#worker.postMessage(request);
    if (limitMs === undefined) return this.#answer();
    const tooLate = () => new WorkerLostError('step-timeout', new StepTimeoutError(limitMs));
    return this.#answer(limitMs, tooLate, GRACE_MS);
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Keeps the process alive only while a request is pending. */
  async #answer(limitMs?: number, tooLate?: () => GymError, graceMs = 0): Promise<Reply & { ok: true }> {
    this.#worker.ref();
    const end = () => {
      this.#lose(tooLate!());
      void this.#worker.terminate();
    };
    // The grace starts when this thread sees that the limit is over. If the thread computed meanwhile, or the whole process
    // was stopped, the answer is read first: Node reads messages after timers that are due.
    const wait = (milliseconds: number, then: () => void) => setTimeout(then, Math.min(milliseconds, MAX_TIMER_MS));
    const grace = () => {
      timer = wait(graceMs, end);
    };
    let timer = limitMs === undefined ? undefined : wait(limitMs, graceMs > 0 ? grace : end);
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        if (this.#lost) reject(this.#lost);
        else this.#waiting = { resolve, reject };
      });
      if (!reply.ok) throw errorFrom(reply.error);
      return reply;
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
    }
  }

  #settle() {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #lose(error: GymError): void {
    this.#lost ??= error;
    this.#settle()?.reject(this.#lost);
  }
}

function errorFrom({ name, message, code, index, attempts }: (Reply & { ok: false })['error']): Error {
  const cause = Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
  if (index !== undefined) return new VectorEnvFailedError(index, attempts ?? 1, cause);
  return new GymError(message, { code: code ?? 'WORKER_REFUSED', cause });
}

/** The program was bundled without the file that threads run. */
class WorkerFileMissingError extends GymError {
  constructor(url: URL) {
    super(`The file that worker threads run is not at ${url.href}.`, {
      code: 'WORKER_FILE_MISSING',
      value: url.href,
      expected: '`dist/vector/worker.js` of @vlgym/core',
      hint: 'leave @vlgym/* out of the bundle (esbuild: --packages=external; Vite: ssr.external), or name the file with `workerUrl`',
    });
  }
}

/** Next to the built entry point; sources (tests, tsx) use the build too, because Node cannot run a TypeScript thread. */
function defaultWorkerUrl(): URL {
  const here = import.meta.url;
  return here.endsWith('.ts') ? new URL('../../dist/vector/worker.js', here) : new URL('./vector/worker.js', here);
}
