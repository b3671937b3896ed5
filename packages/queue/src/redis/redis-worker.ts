/**
 * A worker: takes orders from Redis, plays them, commits. Plain Node, without libtorch.
 *
 * It holds a lease on every order in flight and renews it from its event loop. A worker that blocks or is cut off loses
 * the lease and is notified; the order is played elsewhere, and the ledger takes whichever comes first.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Awaitable } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { ContentHash } from '@vlgym/core/trajectory';
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type BlobStore, digestSchema } from '../blobs/blob-store.js';
import { type WorkOrder, workOrderSchema } from '../order.js';
import type { WorkerReport } from '../rollout-queue.js';
import { type FaultPoint, type Performed, performOrder } from '../worker/perform-order.js';
import type { EpisodePlayer } from '../worker/player.js';
import { problemOf } from '../worker/problem.js';
import { connect, connectWaiting, limited } from './connection.js';
import { keysOf, QUEUE_NAME, type RunKeys } from './keys.js';
import { RedisLedger } from './redis-ledger.js';
import { removeReport, writeReport } from './worker-reports.js';

export interface WorkerTiming {
  /** Milliseconds of a lease; renewed at half. Default 60000. */
  readonly lockMs?: number | undefined;
  /** How often expired leases are looked for, in milliseconds; default 30000. */
  readonly stallMs?: number | undefined;
  /** Deaths of workers that an order survives; default 3. */
  readonly maxStalls?: number | undefined;
  /** How often it reports, in milliseconds; default 5000. */
  readonly reportMs?: number | undefined;
}

export type WorkerEvent =
  | { readonly type: 'played'; readonly order: number; readonly verdict: Performed['verdict'] }
  | { readonly type: 'failed'; readonly order: number; readonly problem: string }
  /** Another worker may be playing these orders now; their signals abort. */
  | { readonly type: 'lease-lost'; readonly orders: readonly number[] }
  /** Something blocks the event loop for more than a quarter of a lease: renewals will come too late. */
  | { readonly type: 'event-loop-late'; readonly milliseconds: number }
  /** Trajectories cannot be stored in the learner's store; the worker takes no orders until they can. */
  | { readonly type: Rest; readonly problem: string };

type Rest = Extract<WorkerReport['state'], 'no-space' | 'wrong-blobs'>;

export interface RedisWorkerOptions {
  readonly url: string;
  readonly run: string;
  /** Unique among the workers of the run. */
  readonly name: string;
  readonly player: EpisodePlayer;
  readonly blobs: BlobStore;
  /** Orders at a time; default 1. */
  readonly concurrency?: number | undefined;
  readonly timing?: WorkerTiming | undefined;
  /** Called before every order with what the run says of itself now; it may have been started again in the meantime. */
  readonly onRun?: ((now: RunNow) => Awaitable<void>) | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
  readonly onPoint?: ((point: FaultPoint, order: WorkOrder) => Promise<void> | void) | undefined;
}

export interface RunNow {
  /** Version of the newest weights; absent before some were published. */
  readonly version?: number;
  /** As `parseDefinition` reads it. */
  readonly definition?: string;
}

const PROBE_MS = 5000;
/** Until an order is offered again that this worker could not keep. */
const LEAVE_MS = 500;

const REDIS_WORKER_OPTIONS = names<RedisWorkerOptions>({
  url: 0,
  run: 0,
  name: 0,
  player: 0,
  blobs: 0,
  concurrency: 0,
  timing: 0,
  onRun: 0,
  onEvent: 0,
  onPoint: 0,
});

export class RedisWorker {
  readonly #options: RedisWorkerOptions;
  readonly #keys: RunKeys;
  readonly #redis: Redis;
  readonly #waiting: Redis;
  readonly #ledger: RedisLedger;
  readonly #worker: Worker<WorkOrder, Performed>;
  readonly #running = new Set<number>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #timer: NodeJS.Timeout;
  #probe: NodeJS.Timeout | undefined;
  #episodes = 0;
  #state: WorkerReport['state'] = 'working';

  constructor(options: RedisWorkerOptions) {
    checkNames('options', options, REDIS_WORKER_OPTIONS);
    this.#options = options;
    const { url, run, name, concurrency = 1, timing = {} } = options;
    const { lockMs = 60_000, stallMs = 30_000, maxStalls = 3, reportMs = 5000 } = timing;
    this.#keys = keysOf(run);
    this.#redis = connect(url);
    this.#waiting = connectWaiting(url);
    this.#ledger = new RedisLedger(this.#redis, this.#keys);
    this.#worker = new Worker(QUEUE_NAME, (job, token, signal) => this.#perform(job, token, signal), {
      connection: this.#waiting,
      prefix: this.#keys.prefix,
      name,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: stallMs,
      maxStalledCount: maxStalls,
      maxStartedAttempts: maxStalls + 3,
      drainDelay: 1,
    });
    // reported by the events below; without a listener the process would end
    this.#worker.on('error', () => {});
    this.#worker.on('lockRenewalFailed', (ids) => this.#loseLeases(ids));
    this.#delay.enable();
    this.#timer = setInterval(() => void this.#report(lockMs), reportMs);
    this.#timer.unref();
    void this.#report(lockMs);
  }

  /**
   * Takes no more orders and finishes those in flight.
   *
   * @param graceMs  After this, orders in flight are left to other workers.
   */
  async drain(graceMs: number): Promise<void> {
    this.#state = 'draining';
    clearTimeout(this.#probe);
    try {
      await limited('finish its orders', this.#worker.close(), graceMs);
    } catch {
      for (const order of this.#running) this.#worker.cancelJob(`${this.#options.run}-${order}`, 'DRAINED');
      await limited('close', this.#worker.close(true), 5000).catch(() => undefined);
    }
    clearInterval(this.#timer);
    this.#delay.disable();
    await removeReport(this.#redis, this.#keys, this.#options.name).catch(() => undefined);
    this.#waiting.disconnect();
    this.#redis.disconnect();
    await this.#options.player.close?.();
  }

  async #perform(
    job: Job<WorkOrder, Performed>,
    token: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Performed> {
    const parsed = workOrderSchema.safeParse(job.data);
    if (!parsed.success) throw new UnrecoverableError('ORDER_INVALID: it was written by another version of vlgym');
    const order = parsed.data;
    const { player, blobs, name, onPoint, onEvent, onRun } = this.#options;
    this.#running.add(order.order);
    try {
      const { policy, definition: defined, blobs: sign } = this.#keys;
      const [version, definition, blob] = await this.#redis.mget(policy, defined, sign);
      if (!(await this.#sees(blob))) return await this.#leave(job, token);
      if (onRun) {
        await onRun({ ...(isCount(version) && { version: Number(version) }), ...(definition && { definition }) });
      }
      const performed = await performOrder(order, {
        ledger: this.#ledger,
        blobs,
        player,
        worker: name,
        attempt: job.attemptsStarted,
        now: Date.now,
        signal,
        onPoint,
      });
      this.#episodes += 1;
      onEvent?.({ type: 'played', order: order.order, verdict: performed.verdict });
      return performed;
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      const problem = problemOf(error);
      onEvent?.({ type: 'failed', order: order.order, problem });
      if (isFullDisk(error)) this.#rest('no-space', problem, () => this.#storeProbe());
      throw new Error(problem, { cause: error });
    } finally {
      this.#running.delete(order.order);
    }
  }

  #loseLeases(ids: readonly string[]): void {
    const orders = ids.map((id) => Number(id.slice(id.lastIndexOf('-') + 1)));
    this.#options.onEvent?.({ type: 'lease-lost', orders });
    for (const id of ids) this.#worker.cancelJob(id, 'LEASE_LOST');
  }

  /** Is the learner's folder of trajectories the one that this worker writes to? Runs without a sign do not say. */
  async #sees(sign: string | null | undefined): Promise<boolean> {
    const { data: digest } = digestSchema.safeParse(sign);
    return digest === undefined || this.#options.blobs.has(digest as ContentHash);
  }

  /** Its trajectory would be lost: the order goes to another worker, and this does not count as a try. */
  async #leave(job: Job<WorkOrder, Performed>, token: string | undefined): Promise<never> {
    const problem = 'the trajectories of the learner are not in the folder of this worker';
    this.#rest('wrong-blobs', problem, async () => {
      if (!(await this.#sees(await this.#redis.get(this.#keys.blobs)))) throw new Error(problem);
    });
    await job.moveToDelayed(Date.now() + LEAVE_MS, token);
    throw new DelayedError();
  }

  async #storeProbe(): Promise<void> {
    await this.#options.blobs.put(new TextEncoder().encode(`space for ${this.#options.name}`.padEnd(65_536)));
  }

  /** Takes no orders until `probe` resolves. */
  #rest(state: Rest, problem: string, probe: () => Promise<void>): void {
    if (this.#state !== 'working') return;
    this.#state = state;
    this.#options.onEvent?.({ type: state, problem });
    void this.#worker.pause(true);
    const tryAgain = async () => {
      try {
        await probe();
        this.#state = 'working';
        await this.#worker.resume();
      } catch {
        this.#probe = setTimeout(tryAgain, PROBE_MS);
      }
    };
    this.#probe = setTimeout(tryAgain, PROBE_MS);
  }

  async #report(lockMs: number): Promise<void> {
    const { name, concurrency = 1, onEvent } = this.#options;
    const eventLoopLagMs = Number.isFinite(this.#delay.max) ? this.#delay.max / 1e6 : 0;
    this.#delay.reset();
    if (eventLoopLagMs > lockMs / 4) onEvent?.({ type: 'event-loop-late', milliseconds: Math.round(eventLoopLagMs) });
    const report = {
      name,
      concurrency,
      running: [...this.#running],
      episodes: this.#episodes,
      eventLoopLagMs,
      state: this.#state,
    };
    await writeReport(this.#redis, this.#keys, report).catch(() => undefined);
  }
}

/** A version as the learner writes it. */
const isCount = (text: string | null | undefined): boolean => /^\d{1,15}$/.test(text ?? '');

function isFullDisk(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  }
  return false;
}
