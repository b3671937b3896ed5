/**
 * Rollouts that the first of several processes takes from its own source, such as a queue, and sends to all.
 */
import type { Dialogue } from '@vlgym/core';
import type { Ranks } from '../training/ranks.js';
import { refuseHooks } from './episode-hooks.js';
import type { RolloutBuffer } from './record.js';
import type { CollectEpisodesOptions, CollectOptions, RolloutSource } from './source.js';

/** How often the others hear that the first is still waiting for episodes: their wait has a time limit. */
const BEAT_MS = 5000;

export interface RelayedSourceOptions {
  readonly ranks: Ranks;
  /** On the first rank alone. */
  readonly source: RolloutSource | undefined;
  /** On the others, from their own environment. */
  readonly dialogue: Dialogue;
  readonly identity: RolloutSource['identity'];
}

export class RelayedSource implements RolloutSource {
  readonly dialogue: Dialogue;
  readonly #ranks: Ranks;
  readonly #source: RolloutSource | undefined;
  readonly #identity: RolloutSource['identity'];

  constructor({ ranks, source, dialogue, identity }: RelayedSourceOptions) {
    this.#ranks = ranks;
    this.#source = source;
    this.dialogue = dialogue;
    this.#identity = identity;
  }

  get identity(): Readonly<Record<string, unknown>> {
    return this.#identity ?? {};
  }

  collectSteps(options: CollectOptions): Promise<RolloutBuffer> {
    return this.#relay(() => this.#source?.collectSteps(options), options);
  }

  collectEpisodes(options: CollectEpisodesOptions): Promise<RolloutBuffer> {
    return this.#relay(() => this.#source?.collectEpisodes(options), options);
  }

  /** Nothing on the ranks that write nothing. */
  async save(): Promise<unknown> {
    return this.#source?.save();
  }

  async load(state: unknown): Promise<void> {
    await this.#source?.load(state);
  }

  async close(): Promise<void> {
    await this.#source?.close?.();
  }

  async #relay(collect: () => Promise<RolloutBuffer> | undefined, options: CollectOptions): Promise<RolloutBuffer> {
    refuseHooks(options);
    const { metrics, signal } = options;
    signal?.throwIfAborted();
    const work = collect();
    // when another rank fails first, nobody waits for it
    work?.catch(() => {});
    while (true) {
      const own = work && (await withinBeat(work));
      const [first] = await metrics.timed('exchange', () => this.#ranks.gather(own ?? null));
      if (first) return own ?? first;
      signal?.throwIfAborted();
    }
  }
}

/** The result, or nothing when it takes longer than a beat. */
async function withinBeat<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const beat = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, BEAT_MS, undefined);
  });
  try {
    return await Promise.race([work, beat]);
  } finally {
    clearTimeout(timer);
  }
}
