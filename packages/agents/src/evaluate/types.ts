/** An evaluation from outside: what it is asked for, and what it says. */
import type { AnyEnv, Awaitable, EnvSpec, Info } from '@vlgym/core';
import type { TrajectoryWriter } from '@vlgym/core/trajectory';
import type { AnyAgent, BoundaryError, Usage } from '../agent.js';
import type { PartEvent, StepEvent } from '../events/turn-events.js';
import type { Fallback } from '../fallback.js';
import type { Observer } from '../observer.js';
import type { EpisodeRow } from './rows.js';
import type { Scores } from './summary.js';

/** Input of the success rule: the last step of an episode and its totals. */
export interface EpisodeEnding {
  readonly info: Info;
  readonly return: number;
  readonly length: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export type Stopped = 'budget' | 'interrupted';

export interface EvaluateOptions {
  /**
   * An id or spec for `make`, a function that makes a new environment, or one environment (then `parallel` is 1).
   * `evaluate` closes what it has made. One environment stays open for the caller, who closes it; idle, it does not keep
   * the process alive.
   */
  readonly env: string | EnvSpec | AnyEnv | (() => Awaitable<AnyEnv>);
  readonly agent: AnyAgent;
  /** Number of episodes, on seeds 0, 1, 2, …; default 100. */
  readonly episodes?: number | undefined;
  /** The seeds themselves; a seed that occurs twice is played twice, with different generators for the agent. */
  readonly seeds?: readonly number[] | undefined;
  /** Number of episodes that run in parallel; agents with `actBatch` take their turns in one call. */
  readonly parallel?: number | undefined;
  /** Turns after which an episode is truncated, unless the environment's own limit comes first; default 1000. */
  readonly maxSteps?: number | undefined;
  /** How an unreadable answer is handled; default `illegal-noop`, a turn without effect. `random` is the published rule. */
  readonly fallback?: Fallback | undefined;
  /**
   * Default: `info.success` of the last step where it is a boolean, or else a return above 0. A recording remembers the
   * source of the function, so that `resume` does not mix two rules.
   */
  readonly isSuccess?: ((ending: EpisodeEnding) => boolean) | undefined;
  /** Key of `info` whose value sorts episodes into categories, e.g. `taskType`. */
  readonly breakdown?: string | undefined;
  /** Passed to every `reset`. */
  readonly resetOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Stop at the first failure of the agent, and reject with it; by default it ends its own episode only. */
  readonly failFast?: boolean | undefined;
  /**
   * Records every episode as a trajectory, and the result as result.json: a new folder, or one to `resume`. Into an open
   * writer, which stays open, go the episodes alone.
   */
  readonly record?: string | TrajectoryWriter | undefined;
  /** Reuse the episodes of this evaluation in the folder of `record`, and play only the remaining ones. */
  readonly resume?: boolean | undefined;
  /** Called as each episode ends; awaited before its lane starts the next one. */
  readonly onEpisode?: ((row: EpisodeRow, progress: EvaluationProgress) => Awaitable<void>) | undefined;
  /** Called after each turn, in the order of the episode's turns; awaited before the next one. */
  readonly onStep?: ((step: StepEvent) => Awaitable<void>) | undefined;
  /** Called with each piece of an answer as it is written, by agents of this package that ask models. */
  readonly onPart?: ((part: PartEvent) => void) | undefined;
  /** Watches the work, e.g. `openTelemetry()` of `@vlgym/agents/telemetry`. */
  readonly telemetry?: Observer | undefined;
  /** Stops the evaluation: running episodes end as interrupted, and the result says so and why. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one `reset` or `step` of an asynchronous environment, in milliseconds. */
  readonly environmentTimeoutMs?: number | undefined;
}

export interface EvaluationProgress {
  /** Episodes with a row, resumed ones included. */
  readonly done: number;
  readonly planned: number;
}

export interface EpisodeFailure {
  readonly id: string;
  readonly seed: number;
  readonly error: BoundaryError;
  /** The error with its stack, if it was thrown in this process. Not enumerable: it is neither stored nor compared. */
  readonly cause?: unknown;
}

export interface Evaluation extends Scores {
  readonly agent: string;
  /** Id of the environment, if it was made with `make`. */
  readonly env?: string;
  /** Version of the dialogue; scores under different prompts are not comparable. */
  readonly dialogue?: string;
  /** How unreadable answers were handled; scores under different rules are not comparable. */
  readonly fallback: Fallback;
  readonly planned: number;
  /** Episodes played that do not count; see `EpisodeRow.counted`. */
  readonly excluded: number;
  /** The reason why the evaluation stopped before all planned episodes were played. */
  readonly stopped?: Stopped;
  /** The reason of the signal, or the exhausted budget, in words. */
  readonly stopReason?: string;
  /** The first episode with an error, in the order of the seeds. */
  readonly firstFailure?: EpisodeFailure;
  /** Total of all episodes, including those that do not count. */
  readonly usage: Usage;
  /** In the order of the seeds. */
  readonly episodes: readonly EpisodeRow[];
  readonly breakdown?: Readonly<Record<string, Scores>>;
}
