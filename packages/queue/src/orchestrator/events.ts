/** Events of an orchestrator, besides its results. */
import { GymError } from '@vlgym/core';
import type { LedgerRecord } from '../ledger/record.js';

export type OrchestratorEvent =
  /** The queue lost orders, e.g. a broker that was emptied; they were added again. */
  | { readonly type: 'QUEUE_FORGOT'; readonly orders: readonly number[] }
  /** An order was abandoned; its seed shows where to start. */
  | { readonly type: 'ABANDONED'; readonly record: LedgerRecord }
  /** An entry of the queue is not a record of this run, or its trajectory is missing; its order is issued again. */
  | { readonly type: 'REFUSED'; readonly id: string; readonly order: number | undefined; readonly problem: string }
  /** The ledger names trajectories that cannot be read; their orders are issued again, and each counts once. */
  | { readonly type: Unreadable; readonly orders: readonly number[]; readonly problem: string }
  /** The queue held what nobody of the run writes; it was removed, and the run continues. */
  | { readonly type: 'MENDED'; readonly problems: readonly string[] }
  /** A record came twice; it counts once. */
  | { readonly type: 'DUPLICATE'; readonly order: number }
  /** The queue does not answer; the run waits. */
  | { readonly type: 'QUEUE_SILENT'; readonly what: string; readonly problem: string };

/** A trajectory is gone; it is not what was written; it is not an episode of its order. */
export type Unreadable = 'BLOB_MISSING' | 'BLOB_DAMAGED' | 'EPISODE_INVALID';

/** The reason why the run is waiting. */
export interface Wait {
  readonly what: string;
  /** The role that it waits for. */
  readonly whom: string;
  readonly seconds: number;
  readonly limitSeconds: number;
}

/** The queue did not answer within the limit, or refused to take orders. */
export class QueueUnavailableError extends GymError {
  constructor(what: string, limitMs: number, cause: unknown) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
    super(`The queue could not ${what} within ${limitMs / 1000} s: ${problem}`, {
      code: 'QUEUE_UNAVAILABLE',
      value: what,
      hint: 'check that Redis runs, has free memory and disk, and takes writes; then start the run again, nothing is lost',
      cause,
    });
  }
}

/** A ledger is learned from again, and one of its episodes is not there: what follows would not be that run. */
export class ReplayIncompleteError extends GymError {
  constructor(order: number, cause: GymError) {
    super(`The episode of order ${order} cannot be read: ${cause.code}: ${cause.message.split('\n')[0]}`, {
      code: 'REPLAY_INCOMPLETE',
      value: order,
      expected: 'every trajectory that the ledger names, whole',
      hint:
        'a replay plays nothing: copy the folder of trajectories back from where it was whole and name it with --blobs, or ' +
        'continue the run itself with --resume, which plays such episodes again',
      cause,
    });
  }
}

/** No episode was committed for longer than the limit. */
export class NoProgressError extends GymError {
  constructor(
    readonly missing: readonly number[],
    limitMs: number,
    workers: number,
  ) {
    super(`No episode was finished in ${limitMs / 1000} s; ${missing.length} orders are open.`, {
      code: 'NO_PROGRESS',
      value: missing.slice(0, 20),
      expected: 'a worker that plays',
      hint:
        workers === 0
          ? 'no worker is connected: start `vlgym worker --redis URL --run NAME`'
          : '`vlgym status --redis URL` shows what the workers do',
    });
  }
}

/** The latest orders all failed at the sampler. */
export class SamplersDownError extends GymError {
  constructor(readonly orders: number) {
    super(`The last ${orders} episodes failed because no sampler answered.`, {
      code: 'NO_HEALTHY_SAMPLER',
      value: orders,
      hint: 'start a serving engine and the run again; episodes that were counted stay counted',
    });
  }
}
