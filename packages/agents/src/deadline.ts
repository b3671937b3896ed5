/** Waiting with a time limit and an abort signal. */
import { GymError } from '@vlgym/core';

/** No answer before the time limit. */
export class TimeoutError extends GymError {
  constructor(
    readonly what: string,
    readonly milliseconds: number,
    code: string,
  ) {
    super(`${what} gave no answer within ${milliseconds} ms.`, {
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
 * running in the background; the promise rejects anyway.
 *
 * @throws {TimeoutError}  After `milliseconds`.
 * @throws The reason of `signal`, when it aborts.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => PromiseLike<T>,
  { what, code, milliseconds, signal }: DeadlineOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  const late = () => controller.abort(new TimeoutError(what, milliseconds, code));
  const timer = Number.isFinite(milliseconds) ? setTimeout(late, milliseconds) : undefined;
  try {
    return await Promise.race([rejection(controller.signal), work(controller.signal)]);
  } catch (error) {
    // libraries wrap the abort reason in their own errors; the reason itself says more
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}

/** The same for a value that may not be a promise; such a value returns at once and sets no timer. */
export function awaitWithDeadline<T>(value: T | PromiseLike<T>, options: DeadlineOptions): T | Promise<T> {
  const isPromise = typeof (value as PromiseLike<T> | null)?.then === 'function';
  return isPromise ? withDeadline(() => value as PromiseLike<T>, options) : (value as T);
}

/** Resolves after a pause; rejects with the signal's reason when it aborts first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
