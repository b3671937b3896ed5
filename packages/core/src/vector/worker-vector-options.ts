import { checkTimeLimits } from '../async/time-limit.js';
import { names } from '../options.js';
import type { VectorOptions } from './base-vector-env.js';
import type { WorkerLimits } from './env-thread.js';

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

export const WORKER_OPTIONS = names<WorkerVectorOptions>({
  workers: 0,
  stepTimeoutMs: 0,
  resetTimeoutMs: 0,
  startTimeoutMs: 0,
  shareObservations: 0,
  resourceLimits: 0,
  workerUrl: 0,
  numEnvs: 0,
  autoreset: 0,
  validateActions: 0,
});

/** Milliseconds that a thread may take; undefined: no limit. */
export class TimeLimits {
  readonly #step: number | undefined;
  /** One reset. */
  readonly reset: number | undefined;

  /** @throws {InvalidOptionError} */
  constructor({ stepTimeoutMs, resetTimeoutMs, startTimeoutMs }: WorkerVectorOptions) {
    checkTimeLimits({ stepTimeoutMs, resetTimeoutMs, startTimeoutMs });
    this.#step = stepTimeoutMs;
    this.reset = resetTimeoutMs ?? (stepTimeoutMs && 10 * stepTimeoutMs);
  }

  /** The thread steps its environments one after the other, and some of them start an episode. */
  steps(environments: number, resets: number): number | undefined {
    return this.#step && environments * this.#step + resets * this.reset!;
  }
}
