/** Time limits in milliseconds. */
import { InvalidOptionError } from '../options.js';

/** Maximum delay of a timer; longer ones fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `setTimeout` that waits at most about 25 days, in place of 1 ms for a longer time. @returns a function that stops it. */
export function startTimer(then: () => void, milliseconds: number): () => void {
  const timer = setTimeout(then, Math.min(milliseconds, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

/**
 * @param limits  By the name of their option; `undefined` passes.
 * @throws {InvalidOptionError}  A limit is not a number above 0. Infinity passes.
 */
export function checkTimeLimits(limits: Readonly<Record<string, unknown>>): void {
  for (const [option, value] of Object.entries(limits)) {
    if (value === undefined || (typeof value === 'number' && value > 0)) continue;
    throw new InvalidOptionError(option, value, 'milliseconds, more than 0');
  }
}
