/**
 * The environments of one process, played in lock step: a number of turns, or whole episodes in groups.
 *
 * Every step comes with its place, so that what several processes played can be put in the order of one.
 */

import type { Episode, EpisodeSummary } from '@vlgym/agents/episode';
import { type AnyEnv, type Awaitable, type Dialogue, type Generator, type GeneratorState, GymError } from '@vlgym/core';
import {
  type EpisodeRecorder,
  type EpisodeStart,
  type ImageStore,
  recordEpisode,
  type Trajectory,
} from '@vlgym/core/trajectory';
import type { CommonConfig } from '../config/types.js';
import { BufferBuilder } from './buffer-builder.js';
import type { EpisodeHooks } from './episode-hooks.js';
import { EpisodeSlot, type SlotState } from './episode-slot.js';
import { Forks, type Place } from './forks.js';
import { LockStep, type LockStepOptions } from './lock-step.js';
import { type Opening, playOpening } from './opening.js';
import type { Fork, ForkOrigin, RolloutBuffer, SampleOrigin, StepRecord } from './record.js';
import type { RolloutSampler } from './sampler.js';
import type { CollectEpisodesOptions, CollectOptions } from './source.js';
import { stateKeyOf } from './state-key.js';

export interface SlotPlayerOptions {
  readonly policy: RolloutSampler;
  /** Those of this process. */
  readonly environments: readonly AnyEnv[];
  /** Environments of all processes; default: those of this one. */
  readonly total?: number;
  /** Makes an environment for forks; default: `make` with the spec of the one that is forked. */
  readonly makeEnv?: (() => Awaitable<AnyEnv>) | undefined;
  /** Position of the first one among all; default 0. */
  readonly first?: number;
  /** Before the ids of episodes; default empty. */
  readonly idPrefix?: string | undefined;
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  /** Parent of every environment's generators. */
  readonly rng: Generator;
  /** Records every episode as a trajectory, e.g. `(start) => writer.start(start)`. */
  readonly record?: ((start: EpisodeStart) => Promise<EpisodeRecorder>) | undefined;
  /** Called with every finished episode and the pictures it names; recorded in memory unless `record` does it. */
  readonly onTrajectory?: ((trajectory: Trajectory, images: ImageStore) => void) | undefined;
  /** Asked at the start of every episode that only `onTrajectory` is for. */
  readonly wantsTrajectory?: (() => boolean) | undefined;
}

/** A step at its place in the buffer. */
export interface PlacedStep {
  /** Turn of the lock step since the collection, or the round, began. */
  readonly turn: number;
  /** Position of the environment among all. */
  readonly slot: number;
  /** Equal for all steps of one trajectory. */
  readonly trajectory: number | string;
  readonly step: StepRecord;
  /** Seed and task of its episode. */
  readonly seed: number;
  readonly taskKey?: string;
  /** How the episode went that ends with it. */
  readonly episode?: EpisodeSummary;
  /** Where its episode began, if that is a fork. */
  readonly origin?: ForkOrigin;
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
  readonly #forks: Forks;
  /** Turns of experts, by episode, until the first step of the policy has them. */
  readonly #openings = new Map<string, Opening>();
  #started = false;

  constructor(options: SlotPlayerOptions) {
    const { policy, environments, config, rng, record, onTrajectory, wantsTrajectory, makeEnv, ...place } = options;
    const { total = environments.length, first = 0, idPrefix } = place;
    const generators = rng.spawn(total + 1);
    const start = record ?? (onTrajectory && ((episode: EpisodeStart) => recordEpisode(episode)));
    this.#policy = policy;
    this.#forks = new Forks(makeEnv);
    this.total = total;
    this.#first = first;
    this.#slots = environments.map(
      (env, index) =>
        new EpisodeSlot({
          ...{ index: first + index, idPrefix, env, rng: generators[first + index]!, config, record: start },
          isRecorded: record ? undefined : wantsTrajectory,
        }),
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
  get sampler(): SampleOrigin {
    return this.#policy.hasSamplingMismatch ? 'remote' : 'in-process';
  }

  /**
   * Plays `turns` turns of all environments; an episode that is cut continues with the next call.
   *
   * @throws the signal's reason when aborted.
   */
  async playTurns(turns: number, { metrics, signal, hooks = {} }: CollectOptions): Promise<PlacedStep[]> {
    for (const slot of this.#slots) slot.maxSteps = hooks.maxSteps;
    const beforeActing = this.#beforeActing(hooks, undefined);
    if (!this.#started) await Promise.all(this.#slots.map((slot) => slot.start()));
    this.#started = true;
    const placed: PlacedStep[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const isLast = turn === turns - 1;
      const played = await this.#lockStep.play(this.#slots, { isLast, beforeActing, metrics, signal });
      for (const [index, { step }] of played.entries()) {
        const slot = this.#slots[index]!;
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
    { groupSize, stateKeys = false, metrics, signal, hooks = {} }: CollectEpisodesOptions,
  ): Promise<PlacedStep[]> {
    const groups = this.total / groupSize;
    if (!Number.isInteger(groups)) throw groupSizeError(groupSize, this.total);
    this.#started = true;
    const groupOf = (slot: Place) => Math.floor(slot.index / groupSize);
    const inGroup = (slot: Place) => ({
      group: round * groups + groupOf(slot),
      ...(stateKeys && { stateKey: stateKeyOf(slot.episode) }),
    });
    const seeds = Array.from({ length: groups }, () => this.#seeds.integers(0, 2 ** 31));
    await Promise.all(this.#slots.map((slot) => this.#begin(slot, seeds[groupOf(slot)]!, hooks)));
    const placed = await this.#playToEnd(this.#slots, 0, { inGroup, metrics, signal, hooks });
    return placed.sort(inOrder);
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

  close(): Promise<void> {
    return this.#forks.close();
  }

  async #begin(slot: EpisodeSlot, seed: number, { maxSteps, opening }: EpisodeHooks): Promise<void> {
    slot.maxSteps = maxSteps;
    const expertTurns = await slot.start(seed, opening !== undefined);
    if (expertTurns === undefined) return;
    const count = opening!(expertTurns, seed);
    const { episode } = slot;
    this.#openings.set(episode.state.id, await playOpening(episode, this.#policy, count, expertTurns));
  }

  /** @param turn  Number of the first turn that is played. */
  async #playToEnd(
    places: readonly Place[],
    turn: number,
    options: LockStepOptions & { readonly hooks: EpisodeHooks },
  ): Promise<PlacedStep[]> {
    const { hooks } = options;
    const placed: PlacedStep[] = [];
    let running = places;
    for (let at = turn; running.length > 0; at++) {
      const forks: Place[] = [];
      const next: Place[] = [];
      const beforeActing = this.#beforeActing(hooks, forks);
      for (const { slot, step } of await this.#lockStep.play(running, { ...options, beforeActing })) {
        placed.push(await this.#place(slot, step, at, step.episodeId));
        if (!step.terminated && !step.truncated) next.push(slot);
        else if (slot.origin) this.#forks.release(slot);
      }
      if (hooks.joinForks) next.push(...forks);
      else placed.push(...(await this.#playToEnd(forks, at, { ...options, hooks: {} })));
      running = next;
    }
    return placed;
  }

  /** Asks the hook of the algorithm, begins the forks that it wants, and gives notes back. */
  #beforeActing({ onTurn }: EpisodeHooks, forks: Place[] | undefined): LockStepOptions['beforeActing'] {
    if (!onTurn && this.#openings.size === 0) return undefined;
    return async (turns, places) => {
      const orders = (await onTurn?.(turns)) ?? [];
      for (const [index, order] of orders.entries()) {
        if (!order?.forks) continue;
        if (!forks) throw new RangeError('forks need whole episodes: `collectEpisodes`');
        forks.push(...(await this.#forks.make(places[index]!, order.forks)));
      }
      return turns.map(({ episode }, index) => {
        const opening = this.#takeOpening(episode);
        return orders[index]?.note ?? opening;
      });
    };
  }

  #takeOpening({ state: { id } }: Episode): Opening | undefined {
    const opening = this.#openings.get(id);
    this.#openings.delete(id);
    return opening;
  }

  async #place({ index, episode, origin }: Place, step: StepRecord, turn: number, trajectory: number | string) {
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
      ...(origin && { origin }),
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
export function bufferOf(placed: readonly PlacedStep[], sampler: SampleOrigin): RolloutBuffer {
  const buffer = new BufferBuilder();
  const forks = new Map<string, { steps: StepRecord[] } & Partial<Fork>>();
  for (const { trajectory, step, taskKey, episode, origin } of placed) {
    if (origin) {
      const fork = forks.get(step.episodeId) ?? { ...origin, steps: [] };
      fork.steps.push(step);
      forks.set(step.episodeId, { ...fork, ...(episode && { summary: episode }) });
    } else {
      buffer.add(trajectory, step, taskKey);
      if (episode) buffer.addEpisode(episode);
    }
  }
  return {
    ...buffer.build(),
    ...(sampler === 'remote' && { sampler }),
    ...(forks.size > 0 && { forks: [...forks.values()] as Fork[] }),
  };
}

/** In the order of one process, whoever played. */
export const inOrder = (a: PlacedStep, b: PlacedStep): number => a.turn - b.turn || a.slot - b.slot;

/** Steps that count for the size of a collection: forks do not. */
export const sizeOf = (placed: readonly PlacedStep[]): number => placed.filter(({ origin }) => !origin).length;

const groupSizeError = (groupSize: number, environments: number) =>
  new GymError(`Invalid groupSize: ${groupSize}.`, {
    code: 'INVALID_OPTION',
    value: groupSize,
    expected: `a divisor of the number of environments, ${environments}`,
    hint: 'set `numEnvs` to a multiple of the group size',
  });
