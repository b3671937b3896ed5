/**
 * Work with patterns of strangers, stopped when it takes too long: an expression such as `(a+)+b` takes exponential time, and
 * Node has no other way to interrupt one.
 */
import { createContext, Script } from 'node:vm';

const place = createContext({ work: undefined }) as { work: (() => unknown) | undefined };
const script = new Script('work()');

/** @returns the result of the work. @throws what it throws, and an error with code `ERR_SCRIPT_EXECUTION_TIMEOUT`. */
export function withinTime<T>(work: () => T, milliseconds: number): T {
  place.work = work;
  try {
    return script.runInContext(place, { timeout: milliseconds }) as T;
  } finally {
    place.work = undefined;
  }
}
