/** Arguments of training, and its reports. */
import type { Scores } from '@vlgym/agents';
import type { AnyEnv, Awaitable } from '@vlgym/core';
import type { ImageStore, Trajectory, TrajectoryWriter } from '@vlgym/core/trajectory';
import type { Targets } from '../advantages/targets.js';
import type { Alarm } from '../diagnostics/alarms.js';
import type { Metrics } from '../diagnostics/metrics.js';
import type { Policy } from '../policy.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { OpenSource } from '../rollout/source.js';
import type { Algorithm } from './algorithm.js';
import type { EvaluationChoices } from './evaluation-settings.js';
import type { Ranks } from './ranks.js';

export interface TrainOptions {
  readonly policy: Policy;
  /** E.g. `vlDac()`. */
  readonly algorithm: Algorithm;
  /** Environment `index` of the rollout; each call makes a new one. @param phase  Begun `phases`; 0 before the first. */
  readonly makeEnv: (index: number, phase: number) => Awaitable<AnyEnv>;
  /**
   * Updates after which training goes on in other environments, ascending, e.g. `[5]`: they are closed, and `makeEnv` makes
   * new ones. Policy, critic and all that the algorithm keeps go on. Default none; not with `openSource` or `ranks`.
   */
  readonly phases?: readonly number[] | undefined;
  /**
   * The source of rollouts, e.g. a queue that other processes play for; `makeEnv` then only serves evaluation. Default:
   * a `Collector` over `numEnvs` environments in this process. With `ranks` the first one calls it, for all.
   */
  readonly openSource?: OpenSource | undefined;
  /** Updates of the whole run, those before a resume included. */
  readonly updates: number;
  /**
   * Environment steps per update over all environments; a multiple of `numEnvs`. Algorithms on whole episodes collect at
   * least as many.
   */
  readonly stepsPerUpdate: number;
  readonly numEnvs: number;
  readonly seed: number;
  readonly evaluation?: EvaluationOptions | undefined;
  /** The folder for metrics, events and checkpoints; without one nothing is written. */
  readonly folder?: string | undefined;
  /** Continue the run in `folder`, if there is one. Default false: a folder with a run in it is refused. */
  readonly resume?: boolean | undefined;
  /** Save a checkpoint every N updates (default 1); the last `keep` (default 2) stay. */
  readonly checkpoint?: { readonly every?: number | undefined; readonly keep?: number | undefined } | undefined;
  /** Allowed first-pass |ratio − 1| before an alarm; default by the dtype of the policy (`alarmLimits`). */
  readonly ratioTolerance?: number | undefined;
  /**
   * A folder, or a writer that stays open, for every training episode as a trajectory. With `ranks` each process writes
   * those of its own environments: give each a folder.
   */
  readonly record?: string | TrajectoryWriter | undefined;
  /** Called with every finished training episode of this process and the pictures it names. */
  readonly onTrajectory?: ((trajectory: Trajectory, images: ImageStore) => void) | undefined;
  /** Asked at the start of every episode that only `onTrajectory` is for; false spares the time to record it. */
  readonly wantsTrajectory?: (() => boolean) | undefined;
  /** With `ranks`, called for every training episode of any process once its first step was played. */
  readonly onTask?: ((task: { readonly key: string | undefined; readonly seed: number }) => void) | undefined;
  /** Called before any weight moves, with ranks for the share of each process. */
  readonly onTargets?: ((update: TargetsOfUpdate) => Awaitable<void>) | undefined;
  readonly onMetrics?: ((record: UpdateRecord) => void) | undefined;
  readonly onAlarm?: ((alarm: Alarm) => void) | undefined;
  /**
   * The processes of this run; each calls `train` with equal options and plays its share of the `numEnvs` environments.
   * Rank 0 alone writes, evaluates and reports.
   */
  readonly ranks?: Ranks | undefined;
  /** Stops the run at once; the last checkpoint remains. */
  readonly signal?: AbortSignal | undefined;
}

/** The targets of the coming update. */
export interface TargetsOfUpdate {
  /** Counts from 1. */
  readonly update: number;
  /** Rescored: old log-probs, entropies and values are there. */
  readonly buffer: RolloutBuffer;
  readonly targets: Targets;
}

/** The record of a finished update; one line of `metrics.jsonl`. */
export interface UpdateRecord {
  /** Updates done; 0 is the evaluation before the first. */
  readonly update: number;
  readonly environmentSteps: number;
  readonly metrics: Metrics;
}

export interface EvaluationOptions extends EvaluationChoices {
  /** One episode per seed; at least 200 for figures that are reported. */
  readonly seeds: readonly number[];
  /** Evaluate every N updates; default 1. The last update is always evaluated. */
  readonly every?: number | undefined;
  /** Steps after which an episode is truncated, unless the environment's own limit comes first; default 1000. */
  readonly maxSteps?: number | undefined;
  /** The environment for evaluation seeds; default: the one for training, of its first phase. */
  readonly makeEnv?: (() => Awaitable<AnyEnv>) | undefined;
  /** Plays the evaluation in place of the above, e.g. to keep its episodes. @param update  Updates done. */
  readonly play?: ((update: number) => Promise<Scores>) | undefined;
}
