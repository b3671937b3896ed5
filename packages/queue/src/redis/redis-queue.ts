/**
 * The orchestrator's side of a run on Redis: orders as BullMQ jobs, commits through a stream.
 *
 * BullMQ gives leases, redelivery, retries and priorities. It does not say what counts: a job can finish twice, and one
 * that did can be listed as failed, so `inspect` asks the ledger before the job.
 */
import { hostname } from 'node:os';
import { checkNames } from '@vlgym/core/internal';
import type { ContentHash } from '@vlgym/core/trajectory';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
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
import { CALL_LIMIT_MS, connect, connectWaiting, limited } from './connection.js';
import { deliveries, type Entry, isBroken, type Streams } from './entries.js';
import { jobIdOf, keysOf, QUEUE_NAME, RUNS, type RunKeys } from './keys.js';
import { Leadership, TermForgottenError } from './leadership.js';
import { assure, mend } from './mend.js';
import { OrderInspector } from './order-inspector.js';
import { REDIS_QUEUE_OPTIONS, type RedisQueueOptions } from './queue-options.js';
import { RedisLedger } from './redis-ledger.js';
import { ACKNOWLEDGE, FORGET, REDELIVER, REFUSE, UNCOUNT } from './scripts.js';
import { readWorkers } from './worker-reports.js';

const GROUP = 'orchestrator';

export class RedisQueue implements RolloutQueue {
  readonly #options: RedisQueueOptions;
  readonly #keys: RunKeys;
  readonly #redis: Redis;
  readonly #reader: Redis;
  readonly #producer: Redis;
  readonly #queue: Queue;
  #leadership: Leadership | undefined;
  #version: number | undefined;
  /** A blob that is in the folder of the learner alone. */
  #sign: ContentHash | undefined;
  #epoch = 0;
  /** Entries that were read and not acknowledged are asked for first. */
  #hasPending = true;
  /** Open orders that the last look found committed. */
  #committed = new Set<number>();

  constructor(options: RedisQueueOptions) {
    checkNames('options', options, REDIS_QUEUE_OPTIONS);
    this.#options = options;
    this.#keys = keysOf(options.run);
    this.#redis = connect(options.url);
    this.#reader = connectWaiting(options.url);
    this.#producer = connectWaiting(options.url);
    this.#queue = new Queue(QUEUE_NAME, {
      connection: this.#producer,
      prefix: this.#keys.prefix,
      streams: { events: { maxLen: 1000 } },
    });
    this.#queue.on('error', () => {});
  }

  async lead(): Promise<number> {
    const { termMs, run, owner = run, blobs } = this.#options;
    this.#sign = await blobs?.put(new TextEncoder().encode(`trajectories of the run ${run}, ledger ${owner}`));
    await mend(this.#redis, this.#keys);
    const { leadership, epoch } = await Leadership.take(this.#redis, this.#keys, () => this.#tell(), termMs);
    this.#leadership = leadership;
    this.#epoch = epoch;
    await this.#own();
    await this.#tell();
    return epoch;
  }

  async add(orders: readonly WorkOrder[], priority: number = PRIORITY.regular): Promise<void> {
    this.#leadership?.assertHeld();
    const { run, attempts = 3, backoffMs = 2000 } = this.#options;
    const jobs = orders.map((order) => ({
      name: 'episode',
      data: order,
      opts: {
        jobId: jobIdOf(run, order.order),
        priority,
        attempts,
        backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
        removeOnComplete: { age: 3600, count: 1000 },
        removeOnFail: { count: 5000 },
      },
    }));
    await limited('take orders', this.#queue.addBulk(jobs));
  }

  async receive({ max, waitMs }: { readonly max: number; readonly waitMs: number }): Promise<(Delivery | Refusal)[]> {
    this.#leadership?.assertHeld();
    try {
      if (this.#hasPending) {
        const pending = await this.#pending(max);
        if (pending.length > 0) return pending;
        this.#hasPending = false;
      }
      const { out } = this.#keys;
      const read = this.#reader.xreadgroup(
        'GROUP',
        GROUP,
        hostname(),
        'COUNT',
        max,
        'BLOCK',
        waitMs,
        'STREAMS',
        out,
        '>',
      );
      const streams = (await limited('deliver records', read, waitMs + CALL_LIMIT_MS)) as Streams;
      return deliveries(streams?.[0]?.[1] ?? []);
    } catch (error) {
      this.#hasPending = true;
      // a broker that lost its data also lost the group
      if (!String(error).includes('NOGROUP')) throw error;
      await this.#makeGroup();
      return [];
    }
  }

  acknowledge(entries: readonly Delivery[]): Promise<void> {
    return this.#lead(
      ACKNOWLEDGE,
      entries.flatMap(({ id, record }) => [id, record.order]),
    );
  }

  refuse(entries: readonly Refusal[]): Promise<void> {
    return this.#lead(
      REFUSE,
      entries.flatMap(({ id, order = '' }) => [id, order]),
    );
  }

  async #lead(script: string, rest: readonly (string | number)[]): Promise<void> {
    if (!this.#leadership) throw new TermForgottenError();
    await this.#leadership.run(script, GROUP, rest);
  }

  async inspect(orders: readonly number[]): Promise<Map<number, OrderReport>> {
    const inspector = new OrderInspector(this.#queue, new RedisLedger(this.#redis, this.#keys), {
      run: this.#options.run,
      epoch: this.#epoch,
      uncount: (order, text) => this.#lead(UNCOUNT, [order, text]),
    });
    const looks = orders.map(async (order): Promise<[number, OrderReport]> => [order, await inspector.look(order)]);
    const reports = await limited('report on orders', Promise.all(looks), 3 * CALL_LIMIT_MS);
    await this.#deliverAgain(reports.filter(([, { state }]) => state === 'committed').map(([order]) => order));
    return new Map(reports);
  }

  /**
   * Orders that the caller misses although they are committed: their entries are read by somebody else, or gone. What is
   * committed between two looks arrives by itself; twice is too much.
   */
  async #deliverAgain(orders: readonly number[]): Promise<void> {
    const late = orders.filter((order) => this.#committed.has(order));
    this.#committed = new Set(orders);
    if (late.length === 0) return;
    this.#hasPending = true;
    const texts = await this.#redis.hmget(this.#keys.ledger, ...late.map(String));
    await this.#lead(
      REDELIVER,
      late.flatMap((order, index) => [order, texts[index] ?? '']),
    );
  }

  async mend(): Promise<string[]> {
    this.#leadership?.assertHeld();
    const mended = await limited('mend its keys', mend(this.#redis, this.#keys));
    return [...mended, ...(await this.#tell())];
  }

  async abandon(record: LedgerRecord): Promise<void> {
    this.#leadership?.assertHeld();
    await new RedisLedger(this.#redis, this.#keys).commit(record);
  }

  async forget(orders: readonly number[]): Promise<void> {
    const { run } = this.#options;
    const removed = orders.map((order) => this.#remove(jobIdOf(run, order)));
    await limited('forget orders', Promise.all(removed));
    await this.#lead(FORGET, orders);
  }

  async publish(version: number): Promise<void> {
    this.#version = version;
    await this.#redis.set(this.#keys.policy, String(version));
  }

  async finish(): Promise<void> {
    this.#leadership?.assertHeld();
    await this.#redis.srem(RUNS, this.#options.run);
    // orders that were issued ahead of the last batch
    await limited('drop orders', this.#queue.drain(true));
  }

  async status(): Promise<QueueStatus> {
    const counting = this.#queue.getJobCounts('wait', 'prioritized', 'delayed', 'active', 'failed');
    const counts = await limited('count jobs', counting);
    const [pending, duplicates, workers] = await Promise.all([
      this.#redis.xlen(this.#keys.out),
      this.#redis.hget(this.#keys.counters, 'duplicates'),
      readWorkers(this.#redis, this.#keys),
    ]);
    const { wait = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = counts;
    return {
      waiting: wait + prioritized + delayed,
      active,
      failed,
      pending,
      duplicates: Math.max(0, Number.parseInt(duplicates ?? '0', 10)) || 0,
      workers,
    };
  }

  async close(): Promise<void> {
    await this.#leadership?.release();
    // ends a blocked read, which would otherwise keep the process
    this.#reader.disconnect();
    await limited('close', this.#queue.close()).catch(() => undefined);
    this.#producer.disconnect();
    this.#redis.disconnect();
  }

  /** Removes a job, also one whose data nobody can read. */
  async #remove(id: string): Promise<void> {
    await this.#queue.remove(id).catch(async (error) => {
      if (!isBroken(error)) throw error;
      await this.#redis.del(this.#queue.toKey(id));
    });
  }

  /**
   * Writes the keys that workers read to the broker, which may have lost its data.
   *
   * @returns those that held something else, in words.
   */
  async #tell(): Promise<string[]> {
    await this.#makeGroup();
    const { definition } = this.#options;
    const { definition: defined, policy, blobs } = this.#keys;
    const values: [key: string, value: string | undefined][] = [
      [defined, definition === undefined ? undefined : JSON.stringify(definition)],
      [policy, this.#version === undefined ? undefined : String(this.#version)],
      [blobs, this.#sign],
    ];
    const changed: string[] = [];
    for (const [key, value] of values) {
      if (value !== undefined && (await assure(this.#redis, key, value))) changed.push(`${key} was changed`);
    }
    if (this.#sign === undefined) await this.#redis.del(blobs);
    await this.#redis.sadd(RUNS, this.#options.run);
    return changed;
  }

  async #own(): Promise<void> {
    const { owner } = this.#options;
    if (owner === undefined) return;
    const { owner: key, ledger, out, counters, policy } = this.#keys;
    const found = await this.#redis.get(key);
    if (found === owner) return;
    if (found !== null) {
      await limited('forget another run', this.#queue.obliterate({ force: true }), 6 * CALL_LIMIT_MS);
      await this.#redis.del(ledger, out, counters, policy);
    }
    await this.#redis.set(key, owner);
  }

  async #makeGroup(): Promise<void> {
    await this.#redis.xgroup('CREATE', this.#keys.out, GROUP, '0', 'MKSTREAM').catch((error) => {
      if (!String(error).includes('BUSYGROUP')) throw error;
    });
  }

  /** Entries that a dead orchestrator, or a lost answer, left behind. */
  async #pending(max: number): Promise<(Delivery | Refusal)[]> {
    const claimed = await this.#redis.xautoclaim(this.#keys.out, GROUP, hostname(), 0, '0-0', 'COUNT', max);
    return deliveries((claimed as [string, Entry[]])[1]);
  }
}
