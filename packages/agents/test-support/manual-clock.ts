/** A clock that never waits: a pause advances it and is recorded. */
import type { Clock } from '../src/index.js';

export interface ManualClock extends Clock {
  readonly pauses: number[];
}

export function manualClock(): ManualClock {
  let time = 0;
  const pauses: number[] = [];
  return {
    pauses,
    now: () => time,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      pauses.push(milliseconds);
      const until = time + milliseconds;
      await Promise.resolve();
      time = Math.max(time, until);
    },
  };
}
