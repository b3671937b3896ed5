/**
 * Rollouts from a queue, as `train({ openSource })` takes them: whole episodes, ragged, in the order of their numbers.
 */
import { type ContentHash, type Dialogue, GymError } from '@vlgym/core';
import {
  BufferBuilder,
  type CollectEpisodesOptions,
  type CollectOptions,
  type Policy,
  type RolloutBuffer,
  type RolloutSource,
  type Sampler,
} from '@vlgym/rl';
import { z } from 'zod';
import type { BlobStore } from './blobs/blob-store.js';
import { episodeFromBytes } from './blobs/episode-bytes.js';
import { isPlayed, type LedgerRecord } from './ledger/record.js';
import type { Orchestrator } from './orchestrator/orchestrator.js';

export interface QueueSourceOptions {
  readonly orchestrator: Orchestrator;
  readonly blobs: BlobStore;
  readonly dialogue: Dialogue;
  /** Publishes its version before every batch. */
  readonly policy: Pick<Policy, 'version'>;
  /** Episodes per group of the plan; default 1. */
  readonly groupSize?: number;
  /** Episodes asked for at a time, until a batch has its steps; a multiple of the group size. */
  readonly episodesPerRound: number;
  /** `in-process` only where workers sample with the code and weights of the learner; default `remote`. */
  readonly sampler?: Sampler;
  /** What rollouts depend on: name of the run, engine and its settings. */
  readonly identity?: Readonly<Record<string, unknown>>;
  /** Called with the version before a batch is asked for: hands new weights to the sampling engines. */
  readonly publish?: (version: number) => Promise<void>;
}

const stateSchema = z.strictObject({ position: z.number().int().nonnegative() });

export class QueueSource implements RolloutSource<{ readonly position: number }> {
  readonly #options: QueueSourceOptions;

  constructor(options: QueueSourceOptions) {
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

  async collectEpisodes({ groupSize, ...options }: CollectEpisodesOptions): Promise<RolloutBuffer> {
    const { groupSize: planned = 1 } = this.#options;
    if (groupSize === planned) return this.#collect(options);
    throw new GymError(`Invalid groupSize: ${groupSize}.`, {
      code: 'INVALID_OPTION',
      value: groupSize,
      expected: `the group size of the plan, ${planned}`,
      hint: 'make the plan of the queue with the group size of the algorithm',
    });
  }

  save(): { readonly position: number } {
    return { position: this.#options.orchestrator.position };
  }

  load(state: unknown): void {
    this.#options.orchestrator.resume(stateSchema.parse(state).position);
  }

  async close(): Promise<void> {
    await this.#options.orchestrator.close();
  }

  async #collect({ stepsPerUpdate, metrics, signal }: CollectOptions): Promise<RolloutBuffer> {
    const { orchestrator, episodesPerRound, policy, publish, sampler = 'remote' } = this.#options;
    await metrics.timed('publish', async () => {
      await publish?.(policy.version);
      await orchestrator.publish(policy.version);
    });
    const buffer = new BufferBuilder();
    let abandoned = 0;
    let empty = 0;
    while (buffer.size < stepsPerUpdate) {
      const records = await metrics.timed('sample', () => orchestrator.take(episodesPerRound, { signal }));
      const before = buffer.size;
      for (const record of records) {
        if (isPlayed(record)) await this.#add(buffer, record);
        else abandoned += 1;
      }
      empty = buffer.size > before ? 0 : empty + 1;
      if (empty === EMPTY_ROUNDS) throw new NoEpisodesError(empty * episodesPerRound);
    }
    metrics.setAll({ 'async/duplicates': orchestrator.counts.duplicates, 'async/abandoned': abandoned });
    return { ...buffer.build(), ...(sampler === 'remote' && { sampler }) };
  }

  async #add(buffer: BufferBuilder, record: LedgerRecord & { readonly digest: ContentHash }): Promise<void> {
    const { blobs, groupSize = 1, episodesPerRound } = this.#options;
    const id = `order-${record.order}`;
    const environment = record.order % episodesPerRound;
    const place = { id, environment, ...(groupSize > 1 && { group: record.group }) };
    const { steps, summary } = episodeFromBytes(await blobs.get(record.digest), place);
    for (const step of steps) buffer.add(id, step, summary.taskKey);
    buffer.addEpisode(summary);
  }
}

/** Rounds in a row without a single step before the run ends. */
const EMPTY_ROUNDS = 3;

/** Every order of several rounds was given up. */
export class NoEpisodesError extends GymError {
  constructor(orders: number) {
    super(`The last ${orders} orders were all given up.`, {
      code: 'NO_EPISODES',
      value: orders,
      hint: 'the reasons stand in ledger.jsonl; play one of their seeds alone',
    });
  }
}
