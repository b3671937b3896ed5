/** Options and counts of an orchestrator. */
import { type Filled, names } from '@vlgym/core/internal';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PlanOptions } from '../order.js';
import type { RolloutQueue } from '../rollout-queue.js';
import type { OrchestratorEvent } from './events.js';

/** Moments at which tests end the process. */
export type CollectorPoint = 'received' | 'appended' | 'acknowledged';

export interface OrchestratorOptions {
  readonly queue: RolloutQueue;
  readonly ledger: Ledger;
  readonly plan: PlanOptions;
  /** The store of trajectories: a record counts only if its trajectory can be read. Default: it always counts. */
  readonly blobs?: Pick<BlobStore, 'get'> | undefined;
  /** Orders in flight at most; default 256. */
  readonly maxOpen?: number | undefined;
  /** Rounds (`take`) issued ahead of the one that is trained; default 0: each is sampled by the newest weights. */
  readonly maxStaleness?: number | undefined;
  /** Orders of the whole run; none is issued beyond. Default: no limit. */
  readonly total?: number | undefined;
  /** Milliseconds between two checks of the open orders; default 15,000. */
  readonly reconcileMs?: number | undefined;
  /** How long nothing may be committed before the run ends with an error; default 30 minutes. */
  readonly noProgressMs?: number | undefined;
  /** How long the queue may be silent; default 10 minutes. */
  readonly silenceMs?: number | undefined;
  /** How long the queue may refuse orders, e.g. because its memory is full; default 10 s. */
  readonly refusalMs?: number | undefined;
  readonly onEvent?: ((event: OrchestratorEvent) => void) | undefined;
  readonly onPoint?: ((point: CollectorPoint) => Promise<void> | void) | undefined;
}

export interface RunCounts {
  readonly issued: number;
  /** In the ledger, including abandoned orders. */
  readonly counted: number;
  readonly abandoned: number;
  readonly open: number;
  readonly duplicates: number;
  readonly forgotten: number;
  /** Entries of the queue that were no records of this run. */
  readonly refused: number;
  /** Orders that were counted, and issued again because their trajectories could not be read. */
  readonly unreadable: number;
}

export const DEFAULTS: Filled<
  Omit<OrchestratorOptions, 'queue' | 'ledger' | 'plan' | 'blobs' | 'onEvent' | 'onPoint'>
> = {
  maxOpen: 256,
  maxStaleness: 0,
  total: Number.POSITIVE_INFINITY,
  reconcileMs: 15_000,
  noProgressMs: 30 * 60_000,
  silenceMs: 10 * 60_000,
  refusalMs: 10_000,
};

export const ORCHESTRATOR_OPEN_OPTIONS = names<OrchestratorOptions>({
  queue: 0,
  ledger: 0,
  plan: 0,
  blobs: 0,
  maxOpen: 0,
  maxStaleness: 0,
  total: 0,
  reconcileMs: 0,
  noProgressMs: 0,
  silenceMs: 0,
  refusalMs: 0,
  onEvent: 0,
  onPoint: 0,
});
