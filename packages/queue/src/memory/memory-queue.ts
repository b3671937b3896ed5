/**
 * The queue without a server: orders are played in this process, through the same interface and the same steps.
 *
 * The default of a run on one machine. Nothing of it survives the process; the ledger's file does, and the orchestrator
 * issues what is missing there again.
 */
import { GymError } from '@vlgym/core';
import type { Filled } from '@vlgym/core/internal';
import { checkNames, names } from '@vlgym/core/internal';
import type { BlobStore } from '../blobs/blob-store.js';
import type { LedgerRecord } from '../ledger/record.js';
import type { WorkOrder } from '../order.js';
import {
  type Delivery,
  type OrderReport,
  PRIORITY,
  type QueueStatus,
  type Refusal,
  type RolloutQueue,
} from '../rollout-queue.js';
import { performOrder } from '../worker/perform-order.js';
import type { EpisodePlayer } from '../worker/player.js';
import { problemOf } from '../worker/problem.js';

export interface MemoryQueueOptions {
  readonly player: EpisodePlayer;
  readonly blobs: BlobStore;
  /** Orders played at a time; default 1. */
  readonly concurrency?: number | undefined;
  /** Attempts at an order before it is abandoned; default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds since 1970, for records; default the clock. */
  readonly now?: (() => number) | undefined;
}

interface Job {
  readonly order: WorkOrder;
  readonly priority: number;
  attempts: number;
  state: OrderReport['state'];
  reason?: string;
}

const MEMORY_QUEUE_OPTIONS = names<MemoryQueueOptions>({ player: 0, blobs: 0, concurrency: 0, attempts: 0, now: 0 });

export class MemoryQueue implements RolloutQueue {
  readonly #options: Filled<MemoryQueueOptions>;
  readonly #jobs = new Map<number, Job>();
  readonly #ledger = new Set<number>();
  readonly #out: Delivery[] = [];
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #wake: () => void = () => {};
  #duplicates = 0;
  #led = false;

  constructor(given: MemoryQueueOptions) {
    checkNames('options', given, MEMORY_QUEUE_OPTIONS);
    const { concurrency = 1, attempts = 3, now = Date.now, ...options } = given;
    this.#options = { concurrency, attempts, now, ...options };
  }

  async lead(): Promise<number> {
    if (this.#led) throw new LeaderError('this process');
    this.#led = true;
    return 1;
  }

  async add(orders: readonly WorkOrder[], priority: number = PRIORITY.regular): Promise<void> {
    for (const order of orders) {
      if (!this.#jobs.has(order.order)) {
        this.#jobs.set(order.order, { order, priority, attempts: 0, state: 'waiting' });
      }
    }
    this.#start();
  }

  async receive({ max, waitMs }: { readonly max: number; readonly waitMs: number }): Promise<(Delivery | Refusal)[]> {
    if (this.#out.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#out.slice(0, max);
  }

  async acknowledge(deliveries: readonly Pick<Delivery, 'id'>[]): Promise<void> {
    for (const { id } of deliveries) {
      const index = this.#out.findIndex((delivery) => delivery.id === id);
      if (index >= 0) this.#out.splice(index, 1);
    }
  }

  async refuse(entries: readonly Refusal[]): Promise<void> {
    await this.acknowledge(entries);
    for (const { order } of entries) if (order !== undefined) this.#ledger.delete(order);
  }

  async mend(): Promise<[]> {
    return [];
  }

  async inspect(orders: readonly number[]): Promise<Map<number, OrderReport>> {
    return new Map<number, OrderReport>(
      orders.map((order): [number, OrderReport] => {
        if (this.#ledger.has(order)) return [order, { state: 'committed' }];
        const job = this.#jobs.get(order);
        if (!job) return [order, { state: 'missing' }];
        const { state, reason, attempts } = job;
        return [order, { state, attempts, ...(reason !== undefined && { reason }) }];
      }),
    );
  }

  async abandon(record: LedgerRecord): Promise<void> {
    this.#commit(record);
  }

  async forget(orders: readonly number[]): Promise<void> {
    const pending = new Set(this.#out.map(({ record }) => record.order));
    for (const order of orders) {
      this.#jobs.delete(order);
      if (!pending.has(order)) this.#ledger.delete(order);
    }
  }

  async publish(): Promise<void> {
    // the sampler of this process knows its own version
  }

  async finish(): Promise<void> {
    for (const [order, { state }] of this.#jobs) if (state === 'waiting') this.#jobs.delete(order);
  }

  async status(): Promise<QueueStatus> {
    const count = (state: Job['state']) => [...this.#jobs.values()].filter((job) => job.state === state).length;
    return {
      waiting: count('waiting'),
      active: count('active'),
      failed: count('failed'),
      pending: this.#out.length,
      duplicates: this.#duplicates,
      workers: [
        {
          name: 'local',
          concurrency: this.#options.concurrency,
          silentSeconds: 0,
          running: [...this.#jobs.values()].filter(({ state }) => state === 'active').map(({ order }) => order.order),
          episodes: this.#ledger.size,
          eventLoopLagMs: 0,
          state: 'working',
        },
      ],
    };
  }

  async close(): Promise<void> {
    this.#abort.abort(new GymError('The queue was closed.', { code: 'QUEUE_CLOSED' }));
    await Promise.all(this.#running);
    await this.#options.player.close?.();
  }

  #start(): void {
    while (this.#running.size < this.#options.concurrency && !this.#abort.signal.aborted) {
      const waiting = [...this.#jobs.values()].filter(({ state }) => state === 'waiting');
      const job = waiting.sort((a, b) => a.priority - b.priority || a.order.order - b.order.order)[0];
      if (!job) return;
      job.state = 'active';
      job.attempts += 1;
      const work = this.#perform(job).finally(() => {
        this.#running.delete(work);
        this.#start();
      });
      this.#running.add(work);
    }
  }

  async #perform(job: Job): Promise<void> {
    const { player, blobs, now, attempts } = this.#options;
    const ledger = {
      has: async (order: number) => this.#ledger.has(order),
      commit: async (record: LedgerRecord) => this.#commit(record),
    };
    try {
      const { signal } = this.#abort;
      await performOrder(job.order, { ledger, blobs, player, worker: 'local', attempt: job.attempts, now, signal });
      this.#jobs.delete(job.order.order);
    } catch (error) {
      job.reason = problemOf(error);
      job.state = job.attempts < attempts ? 'waiting' : 'failed';
      this.#wake();
    }
  }

  #commit(record: LedgerRecord): 'first' | 'duplicate' {
    if (this.#ledger.has(record.order)) {
      this.#duplicates += 1;
      return 'duplicate';
    }
    this.#ledger.add(record.order);
    this.#out.push({ id: String(record.order), record });
    this.#wake();
    return 'first';
  }
}

/** Two orchestrators would both give out orders and both collect. */
export class LeaderError extends GymError {
  constructor(readonly holder: string) {
    super(`The run already has an orchestrator: ${holder}.`, {
      code: 'RUN_HAS_LEADER',
      value: holder,
      hint: 'stop the other one; if it died, its term ends within 15 seconds',
    });
  }
}
