/**
 * The only producer and collector of a run: issues orders in a window, collects what workers committed, and writes the
 * ledger.
 *
 * Batches are cut by the numbers of orders, not by arrival: the first to finish are the short episodes, and a batch of
 * them would be biased. Orders that the queue lost are issued again; orders that no worker can finish
 * are recorded as abandoned. The ledger alone decides: job states add nothing to it.
 */
import type { GymError } from '@vlgym/core';
import { checkNames, type Filled, withDefaults } from '@vlgym/core/internal';
import type { LedgerRecord } from '../ledger/record.js';
import { type Plan, planOf } from '../order.js';
import { type Delivery, PRIORITY, type QueueStatus, type Refusal } from '../rollout-queue.js';
import {
  NoProgressError,
  type OrchestratorEvent,
  ReplayIncompleteError,
  SamplersDownError,
  type Unreadable,
  type Wait,
} from './events.js';
import { givenUp } from './given-up.js';
import { judge } from './judge.js';
import { DEFAULTS, ORCHESTRATOR_OPEN_OPTIONS, type OrchestratorOptions, type RunCounts } from './options.js';
import { triage } from './triage.js';
import { lookAt, problemOfKind, unreadableOf } from './unreadable.js';
import { untilLimit } from './until-limit.js';

const RECEIVE = { max: 256, waitMs: 1000 };

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
  readonly #counts = { duplicates: 0, forgotten: 0, refused: 0, unreadable: 0 };
  /** Since the last check of the open orders. */
  #hasMended = false;
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
    return { issued: this.#issued, counted: ledger.size, abandoned, open: this.#open.size, ...this.#counts };
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
    const { maxStaleness, total } = this.#options;
    const end = this.#taken + count;
    const numbers = Array.from({ length: count }, (_, index) => this.#taken + index);
    const limit = Math.min(end + maxStaleness * count, Math.max(end, total));
    const records = await this.#gather(numbers, limit, options.signal);
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
    this.#counts.unreadable += orders.length;
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
    const received = await this.#reach('deliver episodes', () => queue.receive(RECEIVE));
    if (received.length === 0) return;
    await this.#onPoint?.('received');
    const judged: (Delivery | Refusal)[] = [];
    // one trajectory in memory at a time
    for (const entry of received) judged.push(await judge(entry, this.#plan, this.#blobs));
    const refused = judged.filter((entry) => entry.record === undefined);
    const deliveries = judged.filter((entry) => entry.record !== undefined);
    if (refused.length > 0) await this.#refuse(refused);
    if (deliveries.length === 0) return;
    for (const { record } of deliveries) {
      if (await ledger.append(record)) {
        this.#open.delete(record.order);
        if (record.digest === null) this.#onEvent({ type: 'ABANDONED', record });
        else this.#played += 1;
      } else {
        this.#counts.duplicates += 1;
        this.#onEvent({ type: 'DUPLICATE', order: record.order });
      }
    }
    await this.#onPoint?.('appended');
    await this.#reach('acknowledge episodes', () => queue.acknowledge(deliveries));
    await this.#onPoint?.('acknowledged');
  }

  /** Drops entries. Their orders are found missing, and issued again, without waiting for the next look. */
  async #refuse(entries: readonly Refusal[]): Promise<void> {
    this.#counts.refused += entries.length;
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
    const { forgotten, failed } = triage(open, reports, { mended, hasPlayed: this.#played > 0 });
    if (forgotten.length > 0) {
      this.#counts.forgotten += forgotten.length;
      this.#onEvent({ type: 'QUEUE_FORGOT', orders: forgotten });
      await this.#reach('publish weights', () => queue.publish(this.#version));
      await this.#reach('forget orders', () => queue.forget(forgotten));
      await this.#reach('take orders', () => queue.add(this.#ordersOf(forgotten), PRIORITY.regular), refusalMs);
    }
    for (const { order, reason, attempts } of failed) {
      const record = givenUp(this.#plan(order), reason, attempts);
      await this.#reach('give up an order', () => queue.abandon(record));
    }
  }

  async #mend(): Promise<void> {
    const problems = await this.#options.queue.mend();
    if (problems.length === 0) return;
    this.#hasMended = true;
    this.#counts.refused += problems.length;
    this.#onEvent({ type: 'MENDED', problems });
  }

  #reach<T>(what: string, call: () => Promise<T>, limitMs = this.#options.silenceMs): Promise<T> {
    const { silenceMs } = this.#options;
    return untilLimit(what, call, { limitMs, silenceMs, onEvent: this.#onEvent, mend: () => this.#mend() });
  }
}
