/** Continuation of a value that may be a promise; synchronous values stay synchronous. */
import type { Awaitable } from '../env.js';

export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** `f(value)` now if `value` is plain, else a promise of it: a synchronous environment under wrappers stays synchronous. */
export function chain<T, U>(value: Awaitable<T>, f: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromiseLike(value) ? value.then(f) : f(value);
}
