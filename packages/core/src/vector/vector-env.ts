/**
 * Several environments stepped as one: arguments, results, and the three autoreset modes.
 *
 * A vector environment is not an `Env`. Rules, seeds and autoreset modes follow `gymnasium/vector/vector_env.py`; infos
 * are a plain list, one per environment.
 */
import type { Dialogue } from '../dialogue/dialogue.js';
import type { Awaitable, EnvMetadata, EnvSnapshot, Info, RenderFrame, RenderMode } from '../env.js';
import { GymError, show } from '../errors.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import type { Space } from '../spaces/space.js';
import type { TruncationReason } from '../truncation.js';

/**
 * When an episode ends at step t:
 *
 * - `next-step` (default): step t returns the last observation; step t + 1 ignores the action and returns the first
 *   observation of the next episode with reward 0.
 * - `same-step`: step t already returns the first observation of the next episode; the last one and its info are
 *   `infos[i].finalObservation` and `infos[i].finalInfo`.
 * - `disabled`: the caller resets, with `resetMask`.
 */
export type AutoresetMode = 'next-step' | 'same-step' | 'disabled';

export interface VectorResetOptions {
  /** An integer s seeds the environments with s, s + 1, …; a list gives one seed each. */
  readonly seed?: number | readonly number[] | undefined;
  /** Passed to every environment. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** The environments to reset, at least one; default all. The others keep their episode. */
  readonly resetMask?: ArrayLike<boolean | number> | undefined;
}

export interface VectorResetResult<Observation, I extends Info = Info> {
  /** One per environment; the latest observation for those that were not reset. */
  readonly observations: Observation[];
  /** One per environment; empty for those that were not reset. */
  readonly infos: I[];
}

/** Every list has length `numEnvs`; all objects are new at each step. */
export interface VectorStepResult<Observation, I extends Info = Info> {
  readonly observations: Observation[];
  readonly rewards: Float64Array;
  /** 1 where the task itself ended. */
  readonly terminated: Uint8Array;
  /** 1 where the episode was truncated; the reason is in `infos[i].truncationReason`. */
  readonly truncated: Uint8Array;
  readonly infos: I[];
}

/**
 * The reason why a vector environment truncated an episode. `info.error` then holds name, code and message; the observation is the
 * latest one known.
 *
 * - `environment-error`: the environment threw; it is rebuilt, the others continue.
 * - `step-timeout`: no answer within `stepTimeoutMs`.
 * - `worker-crashed`: the thread of the environment ended; it is restarted.
 */
export type FailureReason = Extract<TruncationReason, 'environment-error' | 'step-timeout' | 'worker-crashed'>;

export interface VectorMetadata extends EnvMetadata {
  readonly autoresetMode: AutoresetMode;
}

/** State of all environments, for an exact resume. */
export interface VectorSnapshot {
  readonly kind: 'vector/1';
  readonly slots: readonly SlotSnapshot[];
}

export interface SlotSnapshot {
  readonly env: EnvSnapshot;
  /** The episode has ended and the next one has not started. */
  readonly over: boolean;
  /** The latest observation, encoded by the observation space. */
  readonly observation: unknown;
  readonly seed: number | undefined;
  readonly restarts: number;
}

export interface VectorEnv<Observation = unknown, Action = unknown, I extends Info = Info> {
  readonly numEnvs: number;
  readonly singleObservationSpace: Space<Observation>;
  readonly singleActionSpace: Space<Action>;
  readonly metadata: VectorMetadata;
  readonly renderMode: RenderMode | undefined;
  /** How one of the environments was made. */
  readonly spec: EnvSpec | undefined;
  /** The dialogue of one environment; it depends only on its arguments, so one serves all. */
  readonly singleDialogue?: Dialogue<Observation, Action, I>;

  reset(options?: VectorResetOptions): Awaitable<VectorResetResult<Observation, I>>;
  /** @param actions One per environment; in mode `next-step` those of finished episodes are ignored. */
  step(actions: ArrayLike<Action>): Awaitable<VectorStepResult<Observation, I>>;
  /** 1 where an action is allowed now, per environment; `undefined` for environments without a mask. */
  actionMasks(): (Uint8Array | undefined)[];
  render(): Awaitable<RenderFrame[]>;
  close(): Awaitable<void>;
  /** @throws {GymError} `SNAPSHOT_UNSUPPORTED`: the environments have no snapshots. */
  snapshot(): Awaitable<VectorSnapshot>;
  restore(snapshot: VectorSnapshot): Awaitable<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a vector environment of any types
export type AnyVectorEnv = VectorEnv<any, any, any>;

/** An environment of the vector could not be reset, so the vector has no observation for it. */
export class VectorEnvFailedError extends GymError {
  constructor(
    readonly index: number,
    readonly attempts: number,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : show(cause);
    super(`Environment ${index} could not be reset${attempts > 1 ? ` in ${attempts} attempts` : ''}: ${reason}`, {
      code: 'VECTOR_ENV_FAILED',
      value: index,
      hint: 'reset a single environment to see its error',
      cause,
    });
  }
}

/** Wrong number of actions, seeds or mask entries, or a call while another one runs. */
export class VectorArgumentError extends GymError {
  constructor(message: string, value: unknown, expected: string) {
    super(message, { code: 'VECTOR_ARGUMENT', value, expected });
  }
}

/** The content of `info.error`: plain data. */
export interface FailureData {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

export function failureData(error: unknown): FailureData {
  if (!(error instanceof Error)) return { name: 'unknown', message: show(error) };
  const { code } = error as { code?: unknown };
  return { name: error.name, message: error.message, ...(typeof code === 'string' ? { code } : {}) };
}
