/**
 * Fills rollout buffers from environments in lock step: a number of steps, or whole episodes in groups.
 */
import {
  type AnyEnv,
  type Dialogue,
  type EpisodeRecorder,
  type EpisodeStart,
  type Generator,
  type GeneratorState,
  GymError,
  type ImageStore,
  recordEpisode,
  type Trajectory,
} from '@vlgym/core';
import type { CommonConfig } from '../config/types.js';
import { BufferBuilder } from './buffer-builder.js';
import { summarizeEpisode } from './episode-summary.js';
import { LockStep } from './lock-step.js';
import type { RolloutSampler } from './play-episode.js';
import type { EpisodeSummary, RolloutBuffer, StepRecord } from './record.js';
import { Slot, type SlotState } from './slot.js';
import type { CollectEpisodesOptions, CollectOptions, RolloutSource } from './source.js';
import { stateKeyOf } from './state-key.js';

export interface CollectorOptions {
  readonly policy: RolloutSampler;
  readonly environments: readonly AnyEnv[];
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  /** Parent of every environment's generators. */
  readonly rng: Generator;
  /** Records every episode as a trajectory, e.g. `(start) => writer.start(start)`. */
  readonly record?: (start: EpisodeStart) => Promise<EpisodeRecorder>;
  /** Called with every finished episode and the pictures it names; recorded in memory unless `record` does it. */
  readonly onTrajectory?: (trajectory: Trajectory, images: ImageStore) => void;
}

/** The collector as JSON data. */
export interface CollectorState {
  readonly slots: readonly SlotState[];
  readonly seeds: GeneratorState;
}

export class Collector implements RolloutSource<CollectorState> {
  readonly #slots: readonly Slot[];
  readonly #lockStep: LockStep;
  /** Draws the seeds of groups. */
  readonly #seeds: Generator;
  readonly #onTrajectory: CollectorOptions['onTrajectory'];
  #started = false;

  constructor({ policy, environments, config, rng, record, onTrajectory }: CollectorOptions) {
    const generators = rng.spawn(environments.length + 1);
    const start = record ?? (onTrajectory && ((episode: EpisodeStart) => recordEpisode(episode)));
    this.#slots = environments.map((env, index) => new Slot(index, env, generators[index]!, start));
    this.#seeds = generators.at(-1)!;
    this.#lockStep = new LockStep(policy, config);
    this.#onTrajectory = onTrajectory;
  }

  /** The dialogue of these environments; all are of one kind. */
  get dialogue(): Dialogue {
    return this.#slots[0]!.dialogue;
  }

  /**
   * `stepsPerUpdate` steps in lock step; an episode that is cut goes on in the next buffer. Step-major: entry
   * `t * environments + n`.
   *
   * @throws the signal's reason when aborted.
   * @throws {NoValidRewardError} Every step gave an invalid reward.
   */
  async collectSteps({ stepsPerUpdate, metrics, signal }: CollectOptions): Promise<RolloutBuffer> {
    if (!this.#started) await Promise.all(this.#slots.map((slot) => slot.start()));
    this.#started = true;
    const buffer = new BufferBuilder();
    const perEnvironment = stepsPerUpdate / this.#slots.length;
    for (let t = 0; t < perEnvironment; t++) {
      const isLast = t === perEnvironment - 1;
      for (const { slot, step } of await this.#lockStep.play(this.#slots, { isLast, metrics, signal })) {
        buffer.add(slot.index, step, slot.taskKey);
        if (!step.terminated && !step.truncated) continue;
        buffer.addEpisode(await this.#finish(slot, step));
        await slot.start();
      }
    }
    return buffer.build();
  }

  /**
   * Whole episodes in groups that begin with the same seed: every environment plays one, and another one as long as there
   * are fewer than `stepsPerUpdate` steps.
   *
   * @throws the signal's reason when aborted.
   * @throws {GymError} `INVALID_OPTION`: `groupSize` does not divide the number of environments.
   * @throws {NoValidRewardError} Every step gave an invalid reward.
   */
  async collectEpisodes({
    groupSize,
    stateKeys = false,
    stepsPerUpdate,
    metrics,
    signal,
  }: CollectEpisodesOptions): Promise<RolloutBuffer> {
    const groups = this.#slots.length / groupSize;
    if (!Number.isInteger(groups)) throw groupSizeError(groupSize, this.#slots.length);
    this.#started = true;
    const buffer = new BufferBuilder();
    for (let round = 0; buffer.size < stepsPerUpdate; round++) {
      const groupOf = (slot: Slot) => Math.floor(slot.index / groupSize);
      const inGroup = (slot: Slot) => ({
        group: round * groups + groupOf(slot),
        ...(stateKeys && { stateKey: stateKeyOf(slot) }),
      });
      const seeds = Array.from({ length: groups }, () => this.#seeds.integers(0, 2 ** 31));
      await Promise.all(this.#slots.map((slot) => slot.start(seeds[groupOf(slot)]!)));
      let running = this.#slots;
      while (running.length > 0) {
        const next: Slot[] = [];
        for (const { slot, step } of await this.#lockStep.play(running, { inGroup, metrics, signal })) {
          buffer.add(step.episodeId, step, slot.taskKey);
          if (step.terminated || step.truncated) buffer.addEpisode(await this.#finish(slot, step));
          else next.push(slot);
        }
        running = next;
      }
    }
    return buffer.build();
  }

  /** JSON data with which `load` continues exactly. */
  save(): CollectorState {
    return { slots: this.#slots.map((slot) => slot.save()), seeds: this.#seeds.getState() };
  }

  async load({ slots, seeds }: CollectorState): Promise<void> {
    await Promise.all(this.#slots.map((slot, index) => slot.load(slots[index]!)));
    this.#seeds.setState(seeds);
    this.#started = true;
  }

  async #finish(slot: Slot, step: StepRecord): Promise<EpisodeSummary> {
    const { recorder } = slot;
    const summary = summarizeEpisode(slot, step);
    const trajectory = await recorder?.end({ success: summary.success });
    if (trajectory && recorder) this.#onTrajectory?.(trajectory, recorder.images);
    return summary;
  }
}

const groupSizeError = (groupSize: number, environments: number) =>
  new GymError(`Invalid groupSize: ${groupSize}.`, {
    code: 'INVALID_OPTION',
    value: groupSize,
    expected: `a divisor of the number of environments, ${environments}`,
    hint: 'set `numEnvs` to a multiple of the group size',
  });
