/**
 * The interface of a queue of episodes, for the orchestrator and for a worker.
 *
 * The queue is a means of transport. An episode counts when the ledger has it, never because a job ended: a job can finish
 * twice, and one that finished can be reported as failed.
 */
import type { LedgerRecord } from './ledger/record.js';
import type { WorkOrder } from './order.js';

/** Smaller numbers are served first. */
export const PRIORITY = { evaluation: 1, regular: 10, speculative: 100 } as const;

/** The state of an order. `missing`: the queue has no record of it. */
export type OrderState = 'waiting' | 'active' | 'committed' | 'failed' | 'missing';

export interface OrderReport {
  readonly state: OrderState;
  /** The reason why it failed. */
  readonly reason?: string;
  readonly attempts?: number;
}

/** A committed record that the orchestrator has not acknowledged. */
export interface Delivery {
  readonly id: string;
  readonly record: LedgerRecord;
}

/** An entry among the records that is none, or one that cannot count. */
export interface Refusal {
  readonly id: string;
  /** The order that it claims, where it names one. */
  readonly order: number | undefined;
  readonly problem: string;
  readonly record?: undefined;
}

export interface WorkerReport {
  readonly name: string;
  readonly concurrency: number;
  /** Seconds since its last sign of life. */
  readonly silentSeconds: number;
  readonly running: readonly number[];
  readonly episodes: number;
  /** Longest delay of its event loop of late, in milliseconds. */
  readonly eventLoopLagMs: number;
  /** `no-space`, `wrong-blobs`: it takes no orders until its folder of trajectories has room, or is that of the learner. */
  readonly state: 'working' | 'draining' | 'no-space' | 'wrong-blobs';
}

export interface QueueStatus {
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Committed and not acknowledged. */
  readonly pending: number;
  /** Commits refused because the order had been counted: wasted work. */
  readonly duplicates: number;
  readonly workers: readonly WorkerReport[];
}

/** The side of the orchestrator; one per run at a time. */
export interface RolloutQueue {
  /** It plays nothing: the ledger must have everything. */
  readonly isReplay?: boolean;
  /** Becomes the only orchestrator. @returns its term. @throws {GymError} `RUN_HAS_LEADER` */
  lead(): Promise<number>;
  /** Orders that the queue knows already are left alone. */
  add(orders: readonly WorkOrder[], priority?: number): Promise<void>;
  /** Committed records in no particular order; waits up to `waitMs` for the first. */
  receive(limit: { readonly max: number; readonly waitMs: number }): Promise<(Delivery | Refusal)[]>;
  /** The ledger's file has them. */
  acknowledge(deliveries: readonly Delivery[]): Promise<void>;
  /** Drops entries; an order that was committed by one of them counts as missing again. */
  refuse(entries: readonly Refusal[]): Promise<void>;
  /** Removes what nobody of the run writes to its keys. @returns what that was, in words. */
  mend(): Promise<readonly string[]>;
  inspect(orders: readonly number[]): Promise<Map<number, OrderReport>>;
  /** Counts an order that no worker finished; refused where one did. */
  abandon(record: LedgerRecord): Promise<void>;
  /** Clears the way for orders to be added again, acknowledged ones included. */
  forget(orders: readonly number[]): Promise<void>;
  /** Weights that workers may use from now on. */
  publish(version: number): Promise<void>;
  /** The run is complete: workers need not wait for it, and orders issued ahead are dropped. */
  finish(): Promise<void>;
  status(): Promise<QueueStatus>;
  close(): Promise<void>;
}

/** The side of a worker. */
export interface WorkerLedger {
  /** The order counts already. */
  has(order: number): Promise<boolean>;
  /** @returns `duplicate` where another delivery of the order was first. */
  commit(record: LedgerRecord): Promise<'first' | 'duplicate'>;
}
