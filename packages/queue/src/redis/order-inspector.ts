/** States of orders: the ledger is asked before the job, since BullMQ may list as failed what finished. */
import type { Queue } from 'bullmq';
import { workOrderSchema } from '../order.js';
import type { OrderReport } from '../rollout-queue.js';
import { isBroken, readEntry } from './entries.js';
import { jobIdOf } from './keys.js';
import type { RedisLedger } from './redis-ledger.js';

interface Leader {
  readonly run: string;
  readonly epoch: number;
  /** Removes from the ledger a text that cannot be read as a record. */
  readonly uncount: (order: number, text: string) => Promise<void>;
}

export class OrderInspector {
  constructor(
    readonly queue: Queue,
    readonly ledger: RedisLedger,
    readonly leader: Leader,
  ) {}

  async look(order: number): Promise<OrderReport> {
    if (await this.#isCommitted(order)) return { state: 'committed' };
    const report = await this.#job(order).catch((error): OrderReport => {
      // a job that nobody can read will not be played
      if (isBroken(error)) return { state: 'missing' };
      throw error;
    });
    // a job that ended between the two questions was committed before it ended
    if (report.state === 'missing' && (await this.#isCommitted(order))) return { state: 'committed' };
    return report;
  }

  /** The ledger has its record. Any other text keeps workers from playing the order, and is removed. */
  async #isCommitted(order: number): Promise<boolean> {
    const text = await this.ledger.textOf(order);
    if (text === null) return false;
    if (readEntry('', ['', text]).record?.order === order) return true;
    await this.leader.uncount(order, text);
    return false;
  }

  async #job(order: number): Promise<OrderReport> {
    const job = await this.queue.getJob(jobIdOf(this.leader.run, order));
    if (!job) return { state: 'missing' };
    // not what was added: no worker plays it
    if (!workOrderSchema.safeParse(job.data).success || job.data.order !== order) return { state: 'missing' };
    const state = await job.getState();
    if (state === 'active') return { state, attempts: job.attemptsStarted };
    // what failed under another orchestrator, e.g. because its sampler went with it, is played again
    if (state === 'failed' && job.data.epoch < this.leader.epoch) return { state: 'missing' };
    if (state === 'failed') return { state, reason: job.failedReason, attempts: job.attemptsStarted };
    // it ended, yet nothing was committed: a broker that lost its last second
    if (state === 'completed' || state === 'unknown') return { state: 'missing' };
    return { state: 'waiting', attempts: job.attemptsStarted };
  }
}
