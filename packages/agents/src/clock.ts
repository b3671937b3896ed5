/** Time as a parameter: limits and pauses read it, results never do. Tests pass a clock that waits for nothing. */
import { sleep } from './deadline.js';

export interface Clock {
  /** Milliseconds from any fixed moment; never decreases. */
  now(): number;
  /** Resolves after a pause; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => performance.now(), sleep };
