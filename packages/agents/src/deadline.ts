/** Waiting with a time limit and an abort signal. */
import { GymError } from '@vlgym/core';
import { startTimer } from '@vlgym/core/internal';

/** No answer before the time limit. */
export class TimeoutError extends GymError {
  constructor(
    readonly what: string,
    readonly milliseconds: number,
    code: string,
  ) {
    super(`${what} did not answer within ${milliseconds} ms.`, {
      code,
      value: milliseconds,
      hint: 'raise the time limit, or find out why it hangs',
    });
  }
}

export interface DeadlineOptions {
  /** Subject of the error message, e.g. `The agent`. */
  readonly what: string;
  readonly code: string;
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` with a signal that aborts at the time limit or with the caller's signal. Work that ignores its signal keeps
 * running in the background; the promise rejects anyway. Under a signal that is aborted already, no work starts.
 *
 * @throws {TimeoutError}  After `milliseconds`.
 * @throws The reason of `signal`, when it aborts.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => PromiseLike<T>,
  options: DeadlineOptions,
): Promise<T> {
  options.signal?.throwIfAborted();
  const controller = new AbortController();
  return inTime(() => work(controller.signal), controller, options);
}

/** The same for work that may return a value in place of a promise; such work sets no timer. */
export function awaitWithDeadline<T>(work: () => T | PromiseLike<T>, options: DeadlineOptions): T | Promise<T> {
  options.signal?.throwIfAborted();
  const value = work();
  const isPromise = typeof (value as PromiseLike<T> | null)?.then === 'function';
  return isPromise ? inTime(() => value as PromiseLike<T>, new AbortController(), options) : (value as T);
}

/**
 * The time runs before the work starts. Work that has started is awaited even if the signal is aborted, so that its
 * rejection is handled.
 */
async function inTime<T>(
  work: () => PromiseLike<T>,
  controller: AbortController,
  { what, code, milliseconds, signal }: DeadlineOptions,
): Promise<T> {
  const forward = () => controller.abort(signal?.reason);
  const late = () => controller.abort(new TimeoutError(what, milliseconds, code));
  const stop = Number.isFinite(milliseconds) ? startTimer(late, milliseconds) : undefined;
  if (signal?.aborted) forward();
  signal?.addEventListener('abort', forward, { once: true });
  try {
    return await Promise.race([rejection(controller.signal), work()]);
  } catch (error) {
    // libraries wrap the abort reason in their own errors; the reason itself says more
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    stop?.();
    signal?.removeEventListener('abort', forward);
  }
}

/** Resolves after a pause; rejects with the signal's reason when it aborts first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const aborted = () => {
      stop();
      reject(signal?.reason);
    };
    const stop = startTimer(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
