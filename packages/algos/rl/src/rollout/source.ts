/**
 * The source of an algorithm's rollouts: environments in this process, in worker threads, or episodes that other processes
 * played.
 *
 * `Collector` plays in lock step. A custom source implements the same four calls; buffers may be ragged, because
 * estimators follow `RolloutBuffer.trajectories` and never count rows.
 */
import type { Awaitable, Dialogue, Generator } from '@vlgym/core';
import type { EpisodeRecorder, EpisodeStart, ImageStore, Trajectory } from '@vlgym/core/trajectory';
import type { CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { Policy } from '../policy.js';
import type { EpisodeHooks } from './episode-hooks.js';
import type { RolloutBuffer } from './record.js';

export interface CollectOptions {
  /** Steps of all environments together. */
  readonly stepsPerUpdate: number;
  readonly metrics: MetricsTally;
  readonly signal?: AbortSignal | undefined;
  /** A source whose episodes other programs play refuses them. */
  readonly hooks?: EpisodeHooks | undefined;
}

export interface CollectEpisodesOptions extends CollectOptions {
  /** Episodes that begin with the same seed; divides the number of environments. */
  readonly groupSize: number;
  /** Also give every step the key of the state that it began in; hashing pictures takes time. Default false. */
  readonly stateKeys?: boolean | undefined;
}

export interface RolloutSource<State = unknown> {
  /** The dialogue of its environments; all are of one kind. */
  readonly dialogue: Dialogue;
  /** At least `stepsPerUpdate` steps; exactly as many from a source that can cut an episode and continue it. */
  collectSteps(options: CollectOptions): Promise<RolloutBuffer>;
  /** Whole episodes in groups that begin with the same seed, at least `stepsPerUpdate` steps. */
  collectEpisodes(options: CollectEpisodesOptions): Promise<RolloutBuffer>;
  /** JSON data with which `load` continues. */
  save(): Awaitable<State>;
  load(state: State): Awaitable<void>;
  /** Everything that rollouts depend on besides the policy and the algorithm's options; a resumed run must have the same. */
  readonly identity?: Readonly<Record<string, unknown>>;
  close?(): Awaitable<void>;
}

/** The parts that `train` passes to a source. */
export interface SourceParts {
  readonly policy: Policy;
  readonly config: CommonConfig;
  /** The parent of every generator of the source. */
  readonly rng: Generator;
  /** Records every episode as a trajectory, where the caller wants it. */
  readonly record?: (start: EpisodeStart) => Promise<EpisodeRecorder>;
  readonly onTrajectory?: (trajectory: Trajectory, images: ImageStore) => void;
  readonly wantsTrajectory?: () => boolean;
}

export type OpenSource = (parts: SourceParts) => Awaitable<RolloutSource>;
