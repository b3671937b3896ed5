/**
 * Fills rollout buffers from environments of this process in lock step: a number of steps, or whole episodes in groups.
 */
import type { Dialogue } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { RolloutBuffer } from './record.js';
import {
  bufferOf,
  type CollectorState,
  type PlacedStep,
  SlotPlayer,
  type SlotPlayerOptions,
  sizeOf,
} from './slot-player.js';
import type { CollectEpisodesOptions, CollectOptions, RolloutSource } from './source.js';

export interface CollectorOptions extends Omit<SlotPlayerOptions, 'total' | 'first'> {}

const COLLECTOR_OPTIONS = names<CollectorOptions>({
  policy: 0,
  environments: 0,
  config: 0,
  rng: 0,
  record: 0,
  onTrajectory: 0,
  wantsTrajectory: 0,
  makeEnv: 0,
  idPrefix: 0,
});

export class Collector implements RolloutSource<CollectorState> {
  readonly #player: SlotPlayer;

  constructor(options: CollectorOptions) {
    checkNames('options', options, COLLECTOR_OPTIONS);
    this.#player = new SlotPlayer(options);
  }

  /** The dialogue of these environments; all are of one kind. */
  get dialogue(): Dialogue {
    return this.#player.dialogue;
  }

  /**
   * `stepsPerUpdate` steps in lock step; an episode that is cut continues in the next buffer. Step-major: entry
   * `t * environments + n`.
   *
   * @throws the signal's reason when aborted.
   * @throws {NoValidRewardError} Every step gave an invalid reward.
   */
  async collectSteps(options: CollectOptions): Promise<RolloutBuffer> {
    return bufferOf(
      await this.#player.playTurns(options.stepsPerUpdate / this.#player.total, options),
      this.#player.sampler,
    );
  }

  /**
   * Whole episodes in groups that begin with the same seed: every environment plays one, and another one as long as there
   * are fewer than `stepsPerUpdate` steps.
   *
   * @throws the signal's reason when aborted.
   * @throws {GymError} `INVALID_OPTION`: `groupSize` does not divide the number of environments.
   * @throws {NoValidRewardError} Every step gave an invalid reward.
   */
  async collectEpisodes(options: CollectEpisodesOptions): Promise<RolloutBuffer> {
    const placed: PlacedStep[] = [];
    for (let round = 0; sizeOf(placed) < options.stepsPerUpdate; round++) {
      placed.push(...(await this.#player.playRound(round, options)));
    }
    return bufferOf(placed, this.#player.sampler);
  }

  /** JSON data with which `load` continues exactly. */
  save(): Promise<CollectorState> {
    return this.#player.save();
  }

  load(state: CollectorState): Promise<void> {
    return this.#player.load(state);
  }

  /** Closes the environments of forks; the others belong to the caller. */
  close(): Promise<void> {
    return this.#player.close();
  }
}
