/**
 * The environments of one process, played in lock step: a number of turns, or whole episodes in groups.
 *
 * Every step comes with its place, so that what several processes played can be put in the order of one.
 */

import type { Episode, EpisodeSummary } from '@vlgym/agents/episode';
import { type AnyEnv, type Dialogue, type Generator, type GeneratorState, GymError } from '@vlgym/core';
import {
  type EpisodeRecorder,
  type EpisodeStart,
  type ImageStore,
  recordEpisode,
  type Trajectory,
} from '@vlgym/core/trajectory';
import type { CommonConfig } from '../config/types.js';
import { BufferBuilder } from './buffer-builder.js';
import { EpisodeSlot, type SlotState } from './episode-slot.js';
import { LockStep } from './lock-step.js';
import type { RolloutBuffer, Sampler, StepRecord } from './record.js';
import type { RolloutSampler } from './sampler.js';
import type { CollectEpisodesOptions, CollectOptions } from './source.js';
import { stateKeyOf } from './state-key.js';

export interface SlotPlayerOptions {
  readonly policy: RolloutSampler;
  /** Those of this process. */
  readonly environments: readonly AnyEnv[];
  /** Environments of all processes; default: those of this one. */
  readonly total?: number;
  /** Position of the first one among all; default 0. */
  readonly first?: number;
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  /** Parent of every environment's generators. */
  readonly rng: Generator;
  /** Records every episode as a trajectory, e.g. `(start) => writer.start(start)`. */
  readonly record?: ((start: EpisodeStart) => Promise<EpisodeRecorder>) | undefined;
  /** Called with every finished episode and the pictures it names; recorded in memory unless `record` does it. */
  readonly onTrajectory?: ((trajectory: Trajectory, images: ImageStore) => void) | undefined;
}

/** A step at its place in the buffer. */
export interface PlacedStep {
  /** Turn of the lock step since the collection, or the round, began. */
  readonly turn: number;
  /** Position of the environment among all. */
  readonly slot: number;
  /** Equal for steps that follow each other. */
  readonly trajectory: number | string;
  readonly step: StepRecord;
  /** Seed and task of its episode. */
  readonly seed: number;
  readonly taskKey?: string;
  /** How the episode went that ends with it. */
  readonly episode?: EpisodeSummary;
}

/** The environments as JSON data. */
export interface CollectorState {
  readonly slots: readonly SlotState[];
  readonly seeds: GeneratorState;
}

export class SlotPlayer {
  /** Environments of all processes. */
  readonly total: number;
  readonly #first: number;
  readonly #slots: readonly EpisodeSlot[];
  readonly #lockStep: LockStep;
  /** Draws the seeds of groups, alike in every process. */
  readonly #seeds: Generator;
  readonly #onTrajectory: SlotPlayerOptions['onTrajectory'];
  readonly #policy: RolloutSampler;
  #started = false;

  constructor({ policy, environments, config, rng, record, onTrajectory, ...place }: SlotPlayerOptions) {
    const { total = environments.length, first = 0 } = place;
    const generators = rng.spawn(total + 1);
    const start = record ?? (onTrajectory && ((episode: EpisodeStart) => recordEpisode(episode)));
    this.#policy = policy;
    this.total = total;
    this.#first = first;
    this.#slots = environments.map(
      (env, index) =>
        new EpisodeSlot({ index: first + index, env, rng: generators[first + index]!, config, record: start }),
    );
    this.#seeds = generators.at(-1)!;
    this.#lockStep = new LockStep(policy, config);
    this.#onTrajectory = onTrajectory;
  }

  /** The dialogue of these environments; all are of one kind. */
  get dialogue(): Dialogue {
    return this.#slots[0]!.episode.dialogue;
  }

  /** Whether what it plays needs a correction. */
  get sampler(): Sampler {
    return this.#policy.samplesOtherwise ? 'remote' : 'in-process';
  }

  /**
   * Plays `turns` turns of all environments; an episode that is cut continues with the next call.
   *
   * @throws the signal's reason when aborted.
   */
  async playTurns(turns: number, { metrics, signal }: CollectOptions): Promise<PlacedStep[]> {
    if (!this.#started) await Promise.all(this.#slots.map((slot) => slot.start()));
    this.#started = true;
    const placed: PlacedStep[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const isLast = turn === turns - 1;
      for (const { slot, step } of await this.#lockStep.play(this.#slots, { isLast, metrics, signal })) {
        placed.push(await this.#place(slot, step, turn, slot.index));
        if (step.terminated || step.truncated) await slot.start();
      }
    }
    return placed;
  }

  /**
   * One whole episode of every environment, in groups that begin with the same seed.
   *
   * @throws the signal's reason when aborted.
   * @throws {GymError} `INVALID_OPTION`: `groupSize` does not divide the number of environments.
   */
  async playRound(
    round: number,
    { groupSize, stateKeys = false, metrics, signal }: CollectEpisodesOptions,
  ): Promise<PlacedStep[]> {
    const groups = this.total / groupSize;
    if (!Number.isInteger(groups)) throw groupSizeError(groupSize, this.total);
    this.#started = true;
    const groupOf = (slot: EpisodeSlot) => Math.floor(slot.index / groupSize);
    const inGroup = (slot: EpisodeSlot) => ({
      group: round * groups + groupOf(slot),
      ...(stateKeys && { stateKey: stateKeyOf(slot.episode) }),
    });
    const seeds = Array.from({ length: groups }, () => this.#seeds.integers(0, 2 ** 31));
    await Promise.all(this.#slots.map((slot) => slot.start(seeds[groupOf(slot)]!)));
    const placed: PlacedStep[] = [];
    let running = this.#slots;
    for (let turn = 0; running.length > 0; turn++) {
      const next: EpisodeSlot[] = [];
      for (const { slot, step } of await this.#lockStep.play(running, { inGroup, metrics, signal })) {
        placed.push(await this.#place(slot, step, turn, step.episodeId));
        if (!step.terminated && !step.truncated) next.push(slot);
      }
      running = next;
    }
    return placed;
  }

  /** JSON data of these environments, with which `load` continues exactly. */
  async save(): Promise<CollectorState> {
    return { slots: await Promise.all(this.#slots.map((slot) => slot.save())), seeds: this.#seeds.getState() };
  }

  /** @param state  State of the environments of all processes. */
  async load({ slots, seeds }: CollectorState): Promise<void> {
    await Promise.all(this.#slots.map((slot, index) => slot.load(slots[this.#first + index]!)));
    this.#seeds.setState(seeds);
    this.#started = true;
  }

  async #place({ index, episode }: EpisodeSlot, step: StepRecord, turn: number, trajectory: number | string) {
    const { seed = -1, taskKey } = episode.state;
    const isEnd = step.terminated || step.truncated;
    const placed: PlacedStep = {
      turn,
      slot: index,
      trajectory,
      step,
      seed,
      ...(taskKey !== undefined && { taskKey }),
      ...(isEnd && { episode: await this.#finish(episode) }),
    };
    return placed;
  }

  async #finish(episode: Episode): Promise<EpisodeSummary> {
    const { recorder } = episode;
    const summary = episode.summary();
    const trajectory = await recorder?.end({ success: summary.success });
    if (trajectory && recorder) this.#onTrajectory?.(trajectory, recorder.images);
    return summary;
  }
}

/** @throws {NoValidRewardError} Every step gave an invalid reward. */
export function bufferOf(placed: readonly PlacedStep[], sampler: Sampler): RolloutBuffer {
  const buffer = new BufferBuilder();
  for (const { trajectory, step, taskKey, episode } of placed) {
    buffer.add(trajectory, step, taskKey);
    if (episode) buffer.addEpisode(episode);
  }
  return { ...buffer.build(), ...(sampler === 'remote' && { sampler }) };
}

const groupSizeError = (groupSize: number, environments: number) =>
  new GymError(`Invalid groupSize: ${groupSize}.`, {
    code: 'INVALID_OPTION',
    value: groupSize,
    expected: `a divisor of the number of environments, ${environments}`,
    hint: 'set `numEnvs` to a multiple of the group size',
  });
