/**
 * Rollouts from a queue, as `train({ openSource })` takes them: whole episodes, ragged, in the order of their numbers.
 *
 * Staleness is bounded by pacing: orders are issued no more than `maxStaleness` rounds ahead, so nothing is thrown away.
 * Steps that are still too old, e.g. because a worker was cut off from new weights, are withheld from the policy loss.
 */
import { type Dialogue, GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { MetricsTally, Policy, RolloutBuffer, RolloutSource } from '@vlgym/rl';
import {
  BufferBuilder,
  type CollectEpisodesOptions,
  type CollectOptions,
  type EpisodeSummary,
  refuseHooks,
  type SampleOrigin,
} from '@vlgym/rl/rollout';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.js';
import { isPlayed, type LedgerRecord } from '../ledger/record.js';
import type { Orchestrator } from '../orchestrator/orchestrator.js';
import { episodeMetrics, measuredMetrics, stalenessMetrics } from './async-metrics.js';
import { PublishedVersions } from './published-versions.js';
import { readTaken } from './read-taken.js';

export interface QueueSourceOptions {
  readonly orchestrator: Orchestrator;
  readonly blobs: BlobStore;
  readonly dialogue: Dialogue;
  /** Publishes its version before every batch. */
  readonly policy: Pick<Policy, 'hasSamplingMismatch' | 'version'>;
  /** Episodes per group of the plan; default 1. */
  readonly groupSize?: number | undefined;
  /** Episodes asked for at a time, until a batch has its steps; a multiple of the group size. */
  readonly episodesPerRound: number;
  /** Steps of weights that are older than this are withheld from the policy loss; default: that of the orchestrator. */
  readonly maxStaleness?: number | undefined;
  /** `in-process` only where workers sample with the code and weights of the learner; default `remote`. */
  readonly sampler?: SampleOrigin | undefined;
  /** Everything that rollouts depend on: name of the run, engine and its settings. */
  readonly identity?: Readonly<Record<string, unknown>> | undefined;
  /** Called with the version before a batch is asked for: hands new weights to the sampling engines. Returns metrics, if any. */
  readonly publish?: ((version: number) => Promise<Readonly<Record<string, number>> | undefined>) | undefined;
  /** Called when the source closes. True: no batch follows, so workers end instead of waiting for one. */
  readonly isComplete?: (() => boolean) | undefined;
  /** Called after the queue was closed. */
  readonly onClose?: (() => Promise<void>) | undefined;
  /** Called with every episode of a batch, in the order of the numbers. */
  readonly onEpisode?: ((episode: EpisodeSummary) => void) | undefined;
}

const count = z.number().int().nonnegative();
const stateSchema = z.strictObject({ position: count, versions: z.array(count).default([]) });

export type QueueSourceState = z.output<typeof stateSchema>;

const QUEUE_SOURCE_OPTIONS = names<QueueSourceOptions>({
  orchestrator: 0,
  blobs: 0,
  dialogue: 0,
  policy: 0,
  groupSize: 0,
  episodesPerRound: 0,
  maxStaleness: 0,
  sampler: 0,
  identity: 0,
  publish: 0,
  isComplete: 0,
  onClose: 0,
  onEpisode: 0,
});

export class QueueSource implements RolloutSource<QueueSourceState> {
  readonly #options: QueueSourceOptions;
  #versions = new PublishedVersions();
  /** When the batch before was complete. */
  #lastEnd: number | undefined;

  constructor(options: QueueSourceOptions) {
    checkNames('options', options, QUEUE_SOURCE_OPTIONS);
    this.#options = options;
    const { episodesPerRound, groupSize = 1 } = options;
    if (episodesPerRound % groupSize === 0) return;
    throw new GymError(`Invalid episodesPerRound: ${episodesPerRound}.`, {
      code: 'INVALID_OPTION',
      value: episodesPerRound,
      expected: `a multiple of the group size, ${groupSize}`,
    });
  }

  get dialogue(): Dialogue {
    return this.#options.dialogue;
  }

  get identity(): Readonly<Record<string, unknown>> {
    const { sampler = 'remote', groupSize = 1, episodesPerRound, identity = {} } = this.#options;
    return { sampler, groupSize, episodesPerRound, ...identity };
  }

  async collectSteps(options: CollectOptions): Promise<RolloutBuffer> {
    return this.#collect(options);
  }

  async collectEpisodes({ groupSize, stateKeys, ...options }: CollectEpisodesOptions): Promise<RolloutBuffer> {
    const { groupSize: planned = 1 } = this.#options;
    if (groupSize !== planned) {
      throw new GymError(`Invalid groupSize: ${groupSize}.`, {
        code: 'INVALID_OPTION',
        value: groupSize,
        expected: `the group size of the plan, ${planned}`,
        hint: 'make the plan of the queue with the group size of the algorithm',
      });
    }
    const buffer = await this.#collect(options);
    if (stateKeys && buffer.steps.some(({ stateKey }) => stateKey === undefined)) throw new StateKeysMissingError();
    return buffer;
  }

  save(): QueueSourceState {
    return { position: this.#options.orchestrator.position, versions: this.#versions.save() };
  }

  load(state: unknown): void {
    const { position, versions } = stateSchema.parse(state);
    this.#options.orchestrator.resume(position);
    this.#versions = new PublishedVersions(versions);
  }

  async close(): Promise<void> {
    const { orchestrator, isComplete, onClose } = this.#options;
    // a queue that has stopped no longer has the run
    if (isComplete?.()) await orchestrator.finish().catch(() => undefined);
    await orchestrator.close();
    await onClose?.();
  }

  async #collect(options: CollectOptions): Promise<RolloutBuffer> {
    refuseHooks(options);
    const { stepsPerUpdate, metrics, signal } = options;
    const { orchestrator, episodesPerRound, policy, publish, sampler: place = 'remote' } = this.#options;
    const sampler = policy.hasSamplingMismatch ? 'remote' : place;
    await metrics.timed('publish', async () => {
      this.#versions.publish(policy.version);
      metrics.setAll((await publish?.(policy.version)) ?? {});
      await orchestrator.publish(policy.version);
    });
    const buffer = new BufferBuilder();
    const taken: LedgerRecord[] = [];
    const staleness: number[] = [];
    let waitedMs = 0;
    let empty = 0;
    while (buffer.size < stepsPerUpdate) {
      const start = performance.now();
      const records = await metrics.timed('sample', () => orchestrator.take(episodesPerRound, { signal }));
      waitedMs += performance.now() - start;
      const before = buffer.size;
      for (const record of records) {
        const added = await this.#add(buffer, record, metrics, signal);
        staleness.push(...added.staleness);
        taken.push(added.record);
      }
      empty = buffer.size > before ? 0 : empty + 1;
      if (empty === EMPTY_ROUNDS) throw new NoEpisodesError(empty * episodesPerRound);
    }
    const built = buffer.build();
    stalenessMetrics(built.steps, staleness, metrics);
    metrics.set('async/abandoned', taken.filter((record) => !isPlayed(record)).length);
    await this.#measure(taken, waitedMs, metrics);
    return { ...built, ...(sampler === 'remote' && { sampler }) };
  }

  /** @returns the record that counts, and the staleness of the steps of its episode, if any. */
  async #add(
    buffer: BufferBuilder,
    given: LedgerRecord,
    metrics: MetricsTally,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly record: LedgerRecord; readonly staleness: readonly number[] }> {
    const { blobs, groupSize = 1, episodesPerRound, orchestrator, onEpisode } = this.#options;
    const { maxStaleness = orchestrator.maxStaleness } = this.#options;
    const id = `order-${given.order}`;
    const environment = given.order % episodesPerRound;
    const place = { id, environment, ...(groupSize > 1 && { group: given.group }) };
    const { record, episode } = await readTaken(given, { orchestrator, blobs, place, signal });
    if (!episode) return { record, staleness: [] };
    const { steps, summary } = episode;
    const staleness = steps.map(({ policyVersion }) => this.#versions.stalenessOf(policyVersion));
    for (const [index, step] of steps.entries()) {
      const withheld = staleness[index]! > maxStaleness;
      buffer.add(id, withheld ? { ...step, withheld } : step, summary.taskKey);
    }
    buffer.addEpisode(summary);
    episodeMetrics(summary, Math.max(...staleness), metrics);
    onEpisode?.(summary);
    return { record, staleness };
  }

  async #measure(taken: readonly LedgerRecord[], waitedMs: number, metrics: MetricsTally): Promise<void> {
    const { orchestrator } = this.#options;
    const { workers } = await orchestrator.status();
    const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
    const end = performance.now();
    const lastedMs = this.#lastEnd === undefined ? 0 : end - this.#lastEnd;
    this.#lastEnd = end;
    measuredMetrics(taken, { lastedMs, waitedMs, slots, now: Date.now() }, metrics);
    const { duplicates, open, forgotten, refused, unreadable } = orchestrator.counts;
    metrics.setAll({
      'queue/duplicates': duplicates,
      'queue/open-orders': open,
      'queue/forgotten-orders': forgotten,
      'queue/refused-entries': refused,
      'queue/unreadable-orders': unreadable,
    });
  }
}

/** Rounds in a row without a single step before the run ends. */
const EMPTY_ROUNDS = 3;

/** Every order of several rounds was abandoned. */
export class NoEpisodesError extends GymError {
  constructor(orders: number) {
    super(`The last ${orders} rollout orders were abandoned.`, {
      code: 'NO_EPISODES',
      value: orders,
      hint: 'ledger.jsonl contains the reasons; play one of their seeds alone',
    });
  }
}

/** The algorithm compares steps that began in the same state, and the players did not note the states. */
class StateKeysMissingError extends GymError {
  constructor() {
    super('Steps of the queue have no keys of their states.', {
      code: 'STATE_KEYS_MISSING',
      expected: 'episodes of players made with `stateKeys: true`',
      hint: 'pass `stateKeys` to SamplerPlayer, here and in the workers',
    });
  }
}
