/** A worker's side of the ledger in Redis. */
import type { Redis } from 'ioredis';
import type { LedgerRecord } from '../ledger/record.js';
import type { WorkerLedger } from '../rollout-queue.js';
import type { RunKeys } from './keys.js';
import { COMMIT } from './scripts.js';

/** How long a commit is tried again: the episode is played and stored, and only has to be reported. */
const COMMIT_LIMIT_MS = 60_000;
const RETRY_MS = 500;

export class RedisLedger implements WorkerLedger {
  constructor(
    readonly redis: Redis,
    readonly keys: RunKeys,
  ) {}

  async has(order: number): Promise<boolean> {
    return (await this.redis.hexists(this.keys.ledger, String(order))) === 1;
  }

  /** The text in the place of the record: the record, `1` once it was acknowledged, or a text of strangers. */
  async textOf(order: number): Promise<string | null> {
    return this.redis.hget(this.keys.ledger, String(order));
  }

  async commit(record: LedgerRecord): Promise<'first' | 'duplicate'> {
    const { ledger, out, counters } = this.keys;
    const json = JSON.stringify(record);
    const start = performance.now();
    for (;;) {
      try {
        const first = await this.redis.eval(COMMIT, 3, ledger, out, counters, String(record.order), json);
        return first === 1 ? 'first' : 'duplicate';
      } catch (error) {
        if (performance.now() - start > COMMIT_LIMIT_MS) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
