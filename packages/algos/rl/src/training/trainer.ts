/**
 * All that outlives an update, and how it is saved and found again: policy, environments, generators, the state of the
 * algorithm, training window, alarms, logs.
 */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyEnv, Generator, type GeneratorState, GymError } from '@vlgym/core';
import { type FolderLock, lockFolder, readRegularFile, removeTemporaries, writeFileAtomic } from '@vlgym/core/internal';
import { type EpisodeStart, TrajectoryWriter } from '@vlgym/core/trajectory';
import { z } from 'zod';
import { type AlarmState, Alarms } from '../diagnostics/alarms.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { EpisodeSummary } from '../rollout/record.js';
import type { RolloutSource, SourceParts } from '../rollout/source.js';
import type { AlgorithmState } from './algorithm.js';
import { CheckpointStore, FolderInUseError } from './checkpoint.js';
import { assertSameSettings, CheckpointDamagedError } from './checkpoint-errors.js';
import { MetricsLog, type MetricsLogState } from './metrics-log.js';
import { openSource } from './open-source.js';
import { phaseOf } from './phases.js';
import { assertEqualOnAllRanks, isFirst } from './ranks.js';
import type { TrainOptions, UpdateRecord } from './types.js';

/** Episodes in the training window (`docs/specs/algorithms.md` 13). */
const WINDOW = 200;

/** `state.json` of a checkpoint. */
interface TrainState {
  readonly identity: Readonly<Record<string, unknown>>;
  readonly update: number;
  readonly environmentSteps: number;
  readonly rng: GeneratorState;
  /** The value that the source's `save` returned. */
  readonly collector: unknown;
  readonly window: readonly EpisodeSummary[];
  readonly taskKeys: readonly string[];
  readonly alarms: AlarmState;
  /** The value that the algorithm's `save` returned. */
  readonly algorithm?: unknown;
  readonly log: MetricsLogState;
}

interface OpenedParts {
  readonly source: RolloutSource;
  readonly parts: SourceParts;
  readonly rng: Generator;
  readonly writer: TrajectoryWriter | undefined;
}

export class Trainer {
  /** Updates done. */
  update = 0;
  environmentSteps = 0;
  /** Tasks of all training episodes. */
  readonly taskKeys = new Set<string>();
  last: UpdateRecord | undefined;
  collector: RolloutSource;
  readonly rng: Generator;
  /** Absent for an algorithm that keeps nothing between updates. */
  readonly state: AlgorithmState | undefined;
  readonly #options: TrainOptions;
  readonly #environments: AnyEnv[];
  readonly #parts: SourceParts;
  readonly #ownWriter: TrajectoryWriter | undefined;
  readonly #store: CheckpointStore | undefined;
  readonly #alarms = new Alarms();
  #phase = 0;
  #window: EpisodeSummary[] = [];
  #log: MetricsLog | undefined;
  #lock: FolderLock | undefined;

  private constructor(options: TrainOptions, environments: AnyEnv[], { source, parts, rng, writer }: OpenedParts) {
    const { policy, algorithm, folder, checkpoint } = options;
    this.#options = options;
    this.#environments = environments;
    this.#parts = parts;
    this.#ownWriter = typeof options.record === 'string' ? writer : undefined;
    this.rng = rng;
    this.collector = source;
    this.state = algorithm.open?.({ policy, config: algorithm.config }) as AlgorithmState | undefined;
    this.#store = folder === undefined ? undefined : new CheckpointStore(folder, checkpoint?.keep);
  }

  /** Makes the environments and, where asked for, continues the run in the folder. */
  static async open(options: TrainOptions): Promise<Trainer> {
    const environments: AnyEnv[] = [];
    let trainer: Trainer | undefined;
    try {
      const { record, onTrajectory, wantsTrajectory } = options;
      const writer = typeof record === 'string' ? await TrajectoryWriter.open(record) : record;
      const [collectorRng, rng] = new Generator(options.seed).spawn(2);
      const parts: SourceParts = {
        policy: options.policy,
        config: options.algorithm.config,
        rng: collectorRng!,
        ...(writer && { record: (start: EpisodeStart) => writer.start(start) }),
        ...(onTrajectory && { onTrajectory }),
        ...(wantsTrajectory && { wantsTrajectory }),
      };
      const source = await openSource(options, environments, parts, 0);
      trainer = new Trainer(options, environments, { source, parts, rng: rng!, writer });
      await trainer.#openFolder();
      return trainer;
    } catch (error) {
      await trainer?.close();
      if (!trainer) await Promise.all(environments.map((env) => env.close()));
      throw error;
    }
  }

  /** Makes the environments of the phase that an update belongs to, where they are those of another. @param update  From 0. */
  async enterPhaseOf(update: number): Promise<void> {
    const phase = phaseOf(this.#options, update);
    if (phase === this.#phase) return;
    await this.collector.close?.();
    await Promise.all(this.#environments.splice(0).map((env) => env.close()));
    // seeded by the phase, so that a run that resumes in a later one draws the same
    const rng = new Generator(this.#options.seed).spawn(2 + phase).at(-1)!;
    this.collector = await openSource(this.#options, this.#environments, { ...this.#parts, rng }, phase);
    this.#phase = phase;
  }

  /** Adds the training window to the metrics, writes the record, tells the caller, checks the alarms. */
  async report(metrics: MetricsTally, episodes: readonly EpisodeSummary[]): Promise<void> {
    this.#window = [...this.#window, ...episodes].slice(-WINDOW);
    for (const episode of this.#window) {
      metrics.mean('train/success-rate', episode.success ? 1 : 0);
      metrics.mean('train/return', episode.return);
      metrics.mean('train/episode-length', episode.length);
    }
    metrics.set('train/episodes', this.#window.length);
    if (this.taskKeys.size > 0) metrics.set('train/distinct-tasks', this.taskKeys.size);
    const { update, environmentSteps } = this;
    this.last = { update, environmentSteps, metrics: metrics.toMetrics() };
    if (!isFirst(this.#options)) return;
    await this.#log?.append(this.last);
    this.#options.onMetrics?.(this.last);
    for (const alarm of this.#alarms.check(update, this.last.metrics)) this.#options.onAlarm?.(alarm);
  }

  /** Writes a checkpoint, if there is a folder. */
  async save(): Promise<void> {
    const { folder, policy } = this.#options;
    if (!this.#store || folder === undefined) return;
    // each rank has a part of what the first one writes
    const collector = await this.collector.save();
    await policy.prepareSave?.();
    if (!this.#log) return;
    // what the algorithm keeps and the logs stand next to the checkpoints and only grow; they are durable before the
    // checkpoint that counts on them exists
    const state: TrainState = {
      identity: this.#identity(),
      update: this.update,
      environmentSteps: this.environmentSteps,
      rng: this.rng.getState(),
      collector,
      window: this.#window,
      taskKeys: [...this.taskKeys],
      alarms: this.#alarms.save(),
      ...(this.state && { algorithm: await this.state.save(folder) }),
      log: await this.#log.sync(),
    };
    await this.#store.write(this.update, async (path) => {
      const verified = (await policy.save(join(path, 'policy'))) ?? [];
      await writeFileAtomic(join(path, 'state.json'), JSON.stringify(state));
      return verified.map((file) => join('policy', file));
    });
  }

  async close(): Promise<void> {
    this.state?.dispose();
    await this.#log?.close();
    await this.#ownWriter?.close();
    await this.collector.close?.();
    await this.#lock?.release();
    await Promise.all(this.#environments.map((env) => env.close()));
  }

  async #openFolder(): Promise<void> {
    const { ranks } = this.#options;
    if (isFirst(this.#options)) await this.#openAsWriter();
    if (!ranks) return;
    // the first rank has cleaned the folder when the others read it
    await ranks.gather(null);
    if (!isFirst(this.#options)) await this.#continue();
    await assertEqualOnAllRanks(ranks, 'settings', this.#identity());
    await assertEqualOnAllRanks(ranks, 'updates done', this.update);
    await assertEqualOnAllRanks(ranks, 'weights', await this.#options.policy.weightsDigest?.());
  }

  async #openAsWriter(): Promise<void> {
    const { folder, resume } = this.#options;
    if (!this.#store || folder === undefined) return;
    await mkdir(folder, { recursive: true });
    this.#lock = await lockFolder(folder, 'training');
    await removeTemporaries(folder);
    const isInUse = (await this.#store.exists()) || (await sizeOf(join(folder, 'metrics.jsonl'))) > 0;
    if (isInUse && !resume) throw new FolderInUseError(folder);
    const state = await this.#continue();
    await this.#store.prune();
    this.#log = await MetricsLog.open(folder, state?.log);
  }

  /** Loads the newest checkpoint, if there is one. */
  async #continue(): Promise<TrainState | undefined> {
    const { folder } = this.#options;
    if (!this.#store || folder === undefined) return undefined;
    return this.#store.read((path) => this.#load(path, folder), isDamage);
  }

  async #load(path: string, folder: string): Promise<TrainState> {
    const state = await readState(path);
    // the environments in it, and their prompts, are those of the last update
    await this.enterPhaseOf(Math.max(0, state.update - 1));
    assertSameSettings(path, state.identity, this.#identity());
    // all that is outside of the folder of the checkpoint has only grown since
    await assertLength(path, join(folder, 'metrics.jsonl'), state.log.metrics);
    await assertLength(path, join(folder, 'events.out.tfevents.0.vlgym'), state.log.events);
    await this.#options.policy.load(join(path, 'policy'));
    await this.state?.load(folder, state.algorithm);
    await this.collector.load(state.collector);
    this.rng.setState(state.rng);
    this.#alarms.load(state.alarms);
    this.#window = [...state.window];
    for (const key of state.taskKeys) this.taskKeys.add(key);
    this.update = state.update;
    this.environmentSteps = state.environmentSteps;
    return state;
  }

  /** Settings that must be equal for a run to continue; the number of updates may change. */
  #identity(): Record<string, unknown> {
    const { policy, algorithm, seed, numEnvs, stepsPerUpdate, phases } = this.#options;
    return {
      algorithm: algorithm.name,
      config: algorithm.config,
      model: policy.name,
      vocabularySize: policy.vocabularySize,
      adaptedNames: policy.adaptedNames,
      environment: this.collector.identity ? null : (this.#environments[0]?.spec?.id ?? null),
      ...(this.collector.identity && { source: this.collector.identity }),
      dialogue: this.collector.dialogue.version,
      seed,
      numEnvs,
      stepsPerUpdate,
      // none is the default, and checkpoints from before phases have no entry
      ...(phases?.length && { phases }),
    };
  }
}

/** The parts that this file reads; environments and generators check their own. */
const stateSchema = z.looseObject({
  identity: z.record(z.string(), z.unknown()),
  update: z.number().int().nonnegative(),
  environmentSteps: z.number().int().nonnegative(),
  rng: z.looseObject({}),
  collector: z.looseObject({}),
  window: z.array(z.looseObject({})),
  taskKeys: z.array(z.string()).default([]),
  alarms: z.looseObject({}),
  algorithm: z.unknown().optional(),
  log: z.looseObject({ metrics: z.number().int().nonnegative(), events: z.number().int().nonnegative() }),
});

const MAX_STATE_BYTES = 2 ** 28;

async function readState(path: string): Promise<TrainState> {
  try {
    return stateSchema.parse(
      JSON.parse(await readRegularFile(join(path, 'state.json'), MAX_STATE_BYTES)),
    ) as unknown as TrainState;
  } catch (cause) {
    throw new CheckpointDamagedError(path, 'its state.json is missing or unreadable', cause);
  }
}

/** A log that a checkpoint counts on may have grown since, never shrunk. */
async function assertLength(checkpoint: string, file: string, bytes: number): Promise<void> {
  const size = await sizeOf(file);
  if (size < bytes) throw new CheckpointDamagedError(checkpoint, `${file} has ${size} bytes instead of ${bytes}`);
}

/** Weights and adapters are checked where they are read; a built-in error there means data with the wrong shape. */
function isDamage(error: unknown): boolean {
  if (GymError.isInstance(error)) return ['CHECKPOINT_DAMAGED', 'SAFETENSORS_INVALID'].includes(error.code);
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
