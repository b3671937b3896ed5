/** Calls that may be synchronous, may promise, and may fail: each becomes an outcome, and none is awaited needlessly. */
import type { Awaitable } from '@vlgym/core';

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

export function settled<T>(call: () => Awaitable<T>): Awaitable<Outcome<T>> {
  const done = (value: T): Outcome<T> => ({ ok: true, value });
  const failed = (error: unknown): Outcome<T> => ({ ok: false, error });
  try {
    const result = call();
    return isPromise(result) ? result.then(done, failed) : done(result);
  } catch (error) {
    return failed(error);
  }
}

/** Outcomes in order; waits only where one of the calls promised. */
export function settledAll<T>(calls: readonly (() => Awaitable<T>)[]): Awaitable<Outcome<T>[]> {
  const outcomes = calls.map(settled);
  return outcomes.some(isPromise) ? Promise.all(outcomes) : (outcomes as Outcome<T>[]);
}

const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
