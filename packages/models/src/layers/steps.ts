/** Work in pieces: a step ends where another may wait. */
import { setImmediate } from 'node:timers/promises';

export type Steps<T> = Generator<void, T, void>;

/** All pieces at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * One piece after the other, with a turn of the event loop between them.
 *
 * @param within  Runs each piece: puts weights in place, turns gradients off.
 */
export async function inTurns<T>(steps: Steps<T>, within: <R>(compute: () => R) => R): Promise<T> {
  for (;;) {
    const { done, value } = within(() => steps.next());
    if (done) return value;
    await setImmediate();
  }
}
