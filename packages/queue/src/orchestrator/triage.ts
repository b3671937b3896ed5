import type { OrderReport } from '../rollout-queue.js';
import { SamplersDownError } from './events.js';
import { isAbsence, isModelError } from './failures.js';

interface Triage {
  /** Orders that the queue lost. */
  readonly forgotten: readonly number[];
  /** Orders that failed permanently, and through no fault of the samplers. */
  readonly failed: readonly { readonly order: number; readonly reason: string; readonly attempts: number }[];
}

const MAX_REASON = 1000;

/**
 * Sorts open orders by what the queue reports of them.
 *
 * @param mended     Strange entries were removed from the queue since the last look.
 * @param hasPlayed  An order of the current batch was played to its end.
 * @throws {SamplersDownError} All open orders failed for want of a sampler. No order is abandoned for that: they are played when the run continues.
 */
export function triage(
  open: readonly number[],
  reports: ReadonlyMap<number, OrderReport>,
  { mended, hasPlayed }: { readonly mended: boolean; readonly hasPlayed: boolean },
): Triage {
  const stateOf = (order: number) => reports.get(order)?.state;
  // the order is not to blame for what failed while the keys were wrong
  const forgotten = open.filter((order) => stateOf(order) === 'missing' || (mended && stateOf(order) === 'failed'));
  const failed = open.filter((order) => stateOf(order) === 'failed' && !forgotten.includes(order));
  const isDown = hasPlayed || open.length === 1 ? isAbsence : isModelError;
  const down = failed.filter((order) => isDown(reports.get(order)?.reason));
  if (down.length > 0 && down.length === open.length) throw new SamplersDownError(down.length);
  const atFault = failed.filter((order) => !down.includes(order));
  return {
    forgotten,
    failed: atFault.map((order) => {
      const { reason = 'it failed', attempts = 1 } = reports.get(order)!;
      return { order, reason: reason.slice(0, MAX_REASON), attempts };
    }),
  };
}
