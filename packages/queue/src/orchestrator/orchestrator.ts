/**
 * The only producer and collector of a run: issues orders in a window, collects what workers committed, and writes the
 * ledger.
 *
 * Batches are cut by the numbers of orders, not by arrival: the first to finish are the short episodes, and a batch of
 * them would be biased. Orders that the queue lost are issued again; orders that no worker can finish
 * are recorded as abandoned. The ledger alone decides: job states add nothing to it.
 */
import type { GymError } from '@vlgym/core';
import { checkNames, type Filled, names, withDefaults } from '@vlgym/core/internal';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Ledger } from '../ledger/ledger.js';
import type { LedgerRecord } from '../ledger/record.js';
import { type Plan, type PlanOptions, planOf } from '../order.js';
import { type Delivery, PRIORITY, type QueueStatus, type Refusal, type RolloutQueue } from '../rollout-queue.js';
import {
  NoProgressError,
  type OrchestratorEvent,
  QueueUnavailableError,
  ReplayIncompleteError,
  SamplersDownError,
  type Unreadable,
  type Wait,
} from './events.js';
import { isAbsence, isFinal, isModelError, isSilence } from './failures.js';
import { givenUp } from './given-up.js';
import { lookAt, problemOfKind, unreadableOf } from './unreadable.js';

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
  /** How often open orders are looked after, in milliseconds; default 15 s. */
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

const RECEIVE_MAX = 256;
const RECEIVE_WAIT_MS = 1000;
const RETRY_MS = 250;

const DEFAULTS: Filled<Omit<OrchestratorOptions, 'queue' | 'ledger' | 'plan' | 'blobs' | 'onEvent' | 'onPoint'>> = {
  maxOpen: 256,
  maxStaleness: 0,
  total: Number.POSITIVE_INFINITY,
  reconcileMs: 15_000,
  noProgressMs: 30 * 60_000,
  silenceMs: 10 * 60_000,
  refusalMs: 10_000,
};

const ORCHESTRATOR_OPEN_OPTIONS = names<OrchestratorOptions>({
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

const ORCHESTRATOR_TAKE_OPTIONS = ['signal'];

export class Orchestrator {
  readonly #options: Filled<Omit<OrchestratorOptions, 'blobs' | 'onEvent' | 'onPoint'>>;
  readonly #blobs: OrchestratorOptions['blobs'];
  readonly #onEvent: (event: OrchestratorEvent) => void;
  readonly #onPoint: OrchestratorOptions['onPoint'];
  readonly #plan: Plan;
  readonly #open = new Set<number>();
  #epoch = 0;
  /** Orders below this number were issued. */
  #issued = 0;
  /** Orders below this number were given to the learner. */
  #taken = 0;
  #version = 0;
  #duplicates = 0;
  #forgotten = 0;
  #refused = 0;
  /** Since the last look after open orders. */
  #hasMended = false;
  #unreadable = 0;
  /** Orders of this `take`, or delivered during it, that were played to an end. */
  #played = 0;
  #lastReconcile = 0;
  #wait: (Omit<Wait, 'seconds'> & { readonly since: number }) | undefined;

  private constructor(options: OrchestratorOptions) {
    const { onEvent = () => {}, onPoint, blobs, queue, ledger, plan, ...rest } = options;
    this.#options = { queue, ledger, plan, ...withDefaults(DEFAULTS, rest) };
    this.#onEvent = onEvent;
    this.#onPoint = onPoint;
    this.#blobs = blobs;
    this.#plan = planOf(options.plan);
  }

  /** Becomes the orchestrator of the run. @throws {LeaderError} Another process is. */
  static async open(options: OrchestratorOptions): Promise<Orchestrator> {
    checkNames('options', options, ORCHESTRATOR_OPEN_OPTIONS);
    const orchestrator = new Orchestrator(options);
    orchestrator.#epoch = await options.queue.lead();
    return orchestrator;
  }

  get counts(): RunCounts {
    const { ledger } = this.#options;
    const abandoned = ledger.records().filter(({ digest }) => digest === null).length;
    return {
      issued: this.#issued,
      counted: ledger.size,
      abandoned,
      open: this.#open.size,
      duplicates: this.#duplicates,
      forgotten: this.#forgotten,
      refused: this.#refused,
      unreadable: this.#unreadable,
    };
  }

  /** The reason why it is waiting; absent while it works. */
  get waiting(): Wait | undefined {
    if (!this.#wait) return undefined;
    const { since, ...wait } = this.#wait;
    return { ...wait, seconds: (performance.now() - since) / 1000 };
  }

  /** Rounds that are issued ahead of the one that is trained. */
  get maxStaleness(): number {
    return this.#options.maxStaleness;
  }

  /** Number of the next order that the learner gets. */
  get position(): number {
    return this.#taken;
  }

  /** Continues behind the orders that a checkpoint has learned from. */
  resume(position: number): void {
    this.#taken = position;
    this.#issued = Math.max(this.#issued, position);
  }

  /** Orders issued from now on want these weights or newer ones. */
  async publish(version: number): Promise<void> {
    this.#version = version;
    await this.#reach('publish weights', () => this.#options.queue.publish(version));
  }

  /**
   * The next `count` orders, sorted by number, regardless of which finished first.
   *
   * @throws the signal's reason; {NoProgressError}, {QueueUnavailableError}, {SamplersDownError}.
   */
  async take(count: number, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<LedgerRecord[]> {
    checkNames('options', options, ORCHESTRATOR_TAKE_OPTIONS);
    const { signal } = options;

    const { maxStaleness, total } = this.#options;
    const end = this.#taken + count;
    const numbers = Array.from({ length: count }, (_, index) => this.#taken + index);
    const records = await this.#gather(numbers, Math.min(end + maxStaleness * count, Math.max(end, total)), signal);
    this.#taken = end;
    return records;
  }

  /**
   * Plays an order again that counts, and whose trajectory turned out not to be readable.
   *
   * @param problem  The error of reading it.
   * @throws {ReplayIncompleteError} The queue plays nothing; otherwise as `take`.
   */
  async retake(
    order: number,
    problem: GymError,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<LedgerRecord> {
    const { queue, refusalMs } = this.#options;
    if (queue.isReplay) throw new ReplayIncompleteError(order, problem);
    await this.#reopen([order], unreadableOf(problem) ?? 'EPISODE_INVALID');
    this.#open.add(order);
    await this.#reach('take orders', () => queue.add(this.#ordersOf([order]), PRIORITY.regular), refusalMs);
    const [record] = await this.#gather([order], this.#issued, signal);
    return record!;
  }

  /** Waits until the ledger has all of these orders. @param end  Orders below this number may be issued. */
  async #gather(numbers: readonly number[], end: number, signal: AbortSignal | undefined): Promise<LedgerRecord[]> {
    const { ledger, noProgressMs } = this.#options;
    let isNew = false;
    let progress = performance.now();
    let size = ledger.size;
    for (;;) {
      signal?.throwIfAborted();
      await this.#issue(end);
      const missing = numbers.filter((order) => ledger.get(order) === undefined);
      if (missing.length === 0) break;
      if (!isNew) this.#played = numbers.filter((order) => ledger.get(order)?.digest).length;
      isNew = true;
      await this.#collect(missing.length);
      if (ledger.size !== size) {
        size = ledger.size;
        progress = performance.now();
      }
      if (performance.now() - progress > noProgressMs) {
        throw new NoProgressError(missing, noProgressMs, (await this.status()).workers.length);
      }
      await this.#reconcileWhenDue();
    }
    this.#wait = undefined;
    const records = numbers.map((order) => ledger.get(order)!);
    if (isNew && records.every(({ outcome }) => outcome === 'model-error')) throw new SamplersDownError(numbers.length);
    return records;
  }

  status(): Promise<QueueStatus> {
    return this.#reach('tell its status', () => this.#options.queue.status());
  }

  /** Nothing more will be taken: tells the workers, and drops orders that were issued ahead. */
  async finish(): Promise<void> {
    await this.#reach('end the run', () => this.#options.queue.finish());
  }

  async close(): Promise<void> {
    await this.#options.queue.close();
    await this.#options.ledger.close();
  }

  /** Issues orders up to this number, as far as the window allows. */
  async #issue(end: number): Promise<void> {
    const { maxOpen, queue, ledger, refusalMs } = this.#options;
    const orders: number[] = [];
    const lost = new Map<Unreadable, number[]>();
    let size = this.#open.size;
    while (this.#issued < end && size < maxOpen) {
      const order = this.#issued++;
      const record = ledger.get(order);
      const problem = record && (await lookAt(record, this.#blobs));
      if (record && problem === undefined) continue;
      size += 1;
      if (problem === undefined) orders.push(order);
      else lost.set(problem, [...(lost.get(problem) ?? []), order]);
    }
    for (const [problem, numbers] of lost) {
      await this.#reopen(numbers, problem);
      orders.push(...numbers);
    }
    if (orders.length === 0) return;
    for (const order of orders) this.#open.add(order);
    await this.#reach('take orders', () => queue.add(this.#ordersOf(orders), PRIORITY.regular), refusalMs);
  }

  /** Orders that count, and whose trajectories were lost since. */
  async #reopen(orders: readonly number[], problem: Unreadable): Promise<void> {
    this.#unreadable += orders.length;
    this.#onEvent({ type: problem, orders, problem: problemOfKind(problem) });
    this.#options.ledger.reopen(orders);
    await this.#reach('forget orders', () => this.#options.queue.forget(orders));
  }

  #ordersOf(numbers: readonly number[]) {
    return numbers.map((order) => ({ ...this.#plan(order), minVersion: this.#version, epoch: this.#epoch }));
  }

  async #collect(missing: number): Promise<void> {
    const { queue, ledger, noProgressMs } = this.#options;
    const whom = 'workers';
    this.#wait ??= { what: `${missing} episodes`, whom, since: performance.now(), limitSeconds: noProgressMs / 1000 };
    const received = await this.#reach('deliver episodes', () =>
      queue.receive({ max: RECEIVE_MAX, waitMs: RECEIVE_WAIT_MS }),
    );
    if (received.length === 0) return;
    await this.#onPoint?.('received');
    const judged: (Delivery | Refusal)[] = [];
    // one trajectory in memory at a time
    for (const entry of received) judged.push(await this.#judge(entry));
    const refused = judged.filter((entry) => entry.record === undefined);
    const deliveries = judged.filter((entry) => entry.record !== undefined);
    if (refused.length > 0) await this.#refuse(refused);
    if (deliveries.length === 0) return;
    for (const { record } of deliveries) {
      if (await ledger.append(record)) {
        this.#open.delete(record.order);
        if (record.digest !== null) this.#played += 1;
        if (record.digest === null) this.#onEvent({ type: 'ABANDONED', record });
      } else {
        this.#duplicates += 1;
        this.#onEvent({ type: 'DUPLICATE', order: record.order });
      }
    }
    await this.#onPoint?.('appended');
    await this.#reach('acknowledge episodes', () => queue.acknowledge(deliveries));
    await this.#onPoint?.('acknowledged');
  }

  /** Accepts only records of this run whose trajectories can be read. */
  async #judge(entry: Delivery | Refusal): Promise<Delivery | Refusal> {
    const { id, record } = entry;
    if (record === undefined) return entry;
    const { order, worker } = record;
    const { seed, group, index } = this.#plan(order);
    if (record.seed !== seed || record.group !== group || record.index !== index) {
      return { id, order, problem: `it is of another run: order ${order} has seed ${seed}, not ${record.seed}` };
    }
    const problem = await lookAt(record, this.#blobs);
    if (problem === undefined) return entry;
    const reason =
      problem === 'BLOB_MISSING'
        ? `the folder of the worker ${worker} is not that of the learner`
        : `the trajectory of the worker ${worker} was changed after it was written`;
    return { id, order, problem: `${problem}: ${reason}` };
  }

  /** Drops entries. Their orders are found missing, and issued again, without waiting for the next look. */
  async #refuse(entries: readonly Refusal[]): Promise<void> {
    this.#refused += entries.length;
    for (const { id, order, problem } of entries) this.#onEvent({ type: 'REFUSED', id, order, problem });
    await this.#reach('drop entries', () => this.#options.queue.refuse(entries));
    this.#lastReconcile = Number.NEGATIVE_INFINITY;
  }

  async #reconcileWhenDue(): Promise<void> {
    const now = performance.now();
    if (now - this.#lastReconcile < this.#options.reconcileMs) return;
    this.#lastReconcile = now;
    await this.#reconcile();
  }

  /** Looks after every open order: what the queue forgot is added again, those that failed permanently are abandoned. */
  async #reconcile(): Promise<void> {
    const { queue, refusalMs } = this.#options;
    const open = [...this.#open];
    if (open.length === 0) return;
    await this.#reach('mend its keys', () => this.#mend());
    const mended = this.#hasMended;
    this.#hasMended = false;
    const reports = await this.#reach('report on orders', () => queue.inspect(open));
    // the order is not to blame for what failed while the keys were wrong
    const isGone = (state = '') => state === 'missing' || (state === 'failed' && mended);
    const forgotten = open.filter((order) => isGone(reports.get(order)?.state));
    if (forgotten.length > 0) {
      this.#forgotten += forgotten.length;
      this.#onEvent({ type: 'QUEUE_FORGOT', orders: forgotten });
      await this.#reach('publish weights', () => queue.publish(this.#version));
      await this.#reach('forget orders', () => queue.forget(forgotten));
      await this.#reach('take orders', () => queue.add(this.#ordersOf(forgotten), PRIORITY.regular), refusalMs);
    }
    const failed = open.filter((order) => reports.get(order)?.state === 'failed' && !forgotten.includes(order));
    // without a sampler no order is abandoned: the orders are played when the run continues
    const isDown = this.#played > 0 || open.length === 1 ? isAbsence : isModelError;
    const down = failed.filter((order) => isDown(reports.get(order)?.reason));
    if (down.length > 0 && down.length === open.length) throw new SamplersDownError(down.length);
    for (const order of failed) {
      if (down.includes(order)) continue;
      const report = reports.get(order)!;
      const reason = (report.reason ?? 'it failed').slice(0, 1000);
      await this.#reach('give up an order', () =>
        queue.abandon(givenUp(this.#plan(order), reason, report.attempts ?? 1)),
      );
    }
  }

  async #mend(): Promise<void> {
    const problems = await this.#options.queue.mend();
    if (problems.length === 0) return;
    this.#hasMended = true;
    this.#refused += problems.length;
    this.#onEvent({ type: 'MENDED', problems });
  }

  /** Tries until the limit; a broker that restarts is waited for. */
  async #reach<T>(what: string, call: () => Promise<T>, limitMs = this.#options.silenceMs): Promise<T> {
    const start = performance.now();
    for (let told = false; ; ) {
      try {
        return await call();
      } catch (error) {
        if (isFinal(error)) throw error;
        const limit = isSilence(error) ? this.#options.silenceMs : limitMs;
        if (performance.now() - start > limit) throw new QueueUnavailableError(what, limit, error);
        if (!told) {
          this.#onEvent({ type: 'QUEUE_SILENT', what, problem: String((error as Error).message ?? error) });
          told = true;
        }
        // what was answered with an error may be of a key that strangers wrote to
        if (!isSilence(error)) await this.#mend().catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
