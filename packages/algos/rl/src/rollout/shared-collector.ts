/**
 * Environments that several processes share out: each plays its own with its own copy of the policy, without waiting for the
 * others, and all get the steps of all, in the order of one process that plays every environment.
 *
 * Generators belong to environments, so an episode does not depend on who plays it.
 */
import type { AnyEnv, Dialogue } from '@vlgym/core';
import type { Ranks } from '../training/ranks.js';
import type { RolloutBuffer } from './record.js';
import {
  bufferOf,
  type CollectorState,
  inOrder,
  type PlacedStep,
  SlotPlayer,
  type SlotPlayerOptions,
  sizeOf,
} from './slot-player.js';
import type { CollectEpisodesOptions, CollectOptions, RolloutSource } from './source.js';

export interface SharedCollectorOptions extends Omit<SlotPlayerOptions, 'environments' | 'total' | 'first'> {
  readonly ranks: Ranks;
  /** Those of this process: `shareOf(ranks, total)`. */
  readonly environments: readonly AnyEnv[];
  /** Environments of all processes. */
  readonly total: number;
  /** Called for every episode of any process when its first step is there. */
  readonly onTask?: (task: { readonly key: string | undefined; readonly seed: number }) => void;
}

/** Positions of the environments of a process: from `start` up to `end`. */
export const shareOf = ({ rank, size }: Ranks, total: number): readonly [start: number, end: number] => [
  Math.floor((total * rank) / size),
  Math.floor((total * (rank + 1)) / size),
];

export class SharedCollector implements RolloutSource<CollectorState> {
  readonly #ranks: Ranks;
  readonly #player: SlotPlayer;
  readonly #onTask: SharedCollectorOptions['onTask'];

  constructor({ ranks, onTask, ...options }: SharedCollectorOptions) {
    this.#ranks = ranks;
    this.#onTask = onTask;
    this.#player = new SlotPlayer({ ...options, first: shareOf(ranks, options.total)[0] });
  }

  get dialogue(): Dialogue {
    return this.#player.dialogue;
  }

  /** As `Collector.collectSteps`. All ranks call it. */
  async collectSteps(options: CollectOptions): Promise<RolloutBuffer> {
    const own = await this.#player.playTurns(options.stepsPerUpdate / this.#player.total, options);
    return bufferOf(await this.#exchange(own, options), this.#player.sampler);
  }

  /** As `Collector.collectEpisodes`. All ranks call it. */
  async collectEpisodes(options: CollectEpisodesOptions): Promise<RolloutBuffer> {
    const placed: PlacedStep[] = [];
    for (let round = 0; sizeOf(placed) < options.stepsPerUpdate; round++) {
      placed.push(...(await this.#exchange(await this.#player.playRound(round, options), options)));
    }
    return bufferOf(placed, this.#player.sampler);
  }

  /** That of all environments, as of one process. All ranks call it. */
  async save(): Promise<CollectorState> {
    const { slots, seeds } = await this.#player.save();
    return { slots: (await this.#ranks.gather(slots)).flat(), seeds };
  }

  load(state: CollectorState): Promise<void> {
    return this.#player.load(state);
  }

  /** Closes the environments of forks; the others belong to the caller. */
  close(): Promise<void> {
    return this.#player.close();
  }

  async #exchange(own: readonly PlacedStep[], { metrics }: CollectOptions): Promise<PlacedStep[]> {
    const { rank } = this.#ranks;
    const all = await metrics.timed('exchange', () => this.#ranks.gather(own));
    // own steps are not copied: copies would be encoded again
    const placed = all.flatMap((theirs, other) => (other === rank ? own : theirs));
    placed.sort(inOrder);
    for (const { step, taskKey: key, seed } of placed) if (step.stepIndex === 0) this.#onTask?.({ key, seed });
    return placed;
  }
}
