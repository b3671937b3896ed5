/**
 * The contract: Gymnasium's `reset` / `step`, made for async.
 *
 * A synchronous environment returns plain values, an asynchronous one promises; callers `await` both. Every call
 * returns fresh objects: a caller may keep them for ever. What not every environment can do (snapshots, an oracle, a
 * mask, a dialogue) is optional and found by feature test. Rules: `Farama-Foundation/Gymnasium`, `gymnasium/core.py`.
 */
import type { Dialogue } from './dialogue/dialogue.js';
import type { Image } from './image.js';
import type { EnvSpec } from './registry/spec.js';
import type { Space } from './spaces/space.js';

export type Awaitable<T> = T | PromiseLike<T>;

/**
 * Diagnostics beside the observation. Plain data: it goes into trajectories as JSON. At reset, `taskKey` says what the
 * episode is about, where the environment can tell (`TaskInfo`).
 */
export type Info = Record<string, unknown>;

export interface ResetOptions {
  /** A non-negative integer starts the generator anew; left out, the generator carries on. */
  readonly seed?: number;
  /** What one environment offers for one episode (a level, a deck); each documents its own. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ResetResult<Observation, I extends Info = Info> {
  readonly observation: Observation;
  readonly info: I;
}

export interface StepResult<Observation, I extends Info = Info> {
  readonly observation: Observation;
  /** One finite number. Components, where there are several, stand in `info.rewardParts`. */
  readonly reward: number;
  /** The task itself ended: no value lies beyond. */
  readonly terminated: boolean;
  /** The episode was cut (time limit, crash); a learner bootstraps from `observation`. */
  readonly truncated: boolean;
  readonly info: I;
}

export type RenderMode = 'rgb_array' | 'ansi' | 'human';

export interface EnvMetadata {
  readonly renderModes: readonly RenderMode[];
  /** Frames per second of a recorded video. */
  readonly renderFps?: number;
}

/** What `render` returns: a picture for `rgb_array`, text for `ansi`, nothing for `human`. */
export type RenderFrame = Image | string | undefined;

/** The whole state of an environment, its generators included, as JSON-compatible data. */
export interface EnvSnapshot {
  /** Name and version of the layout, e.g. `points24/1`; `restore` refuses any other. */
  readonly kind: string;
  readonly state: unknown;
}

export interface Env<Observation = unknown, Action = unknown, I extends Info = Info> {
  readonly observationSpace: Space<Observation>;
  readonly actionSpace: Space<Action>;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | undefined;
  /** How this environment was made; set by `make`. */
  spec: EnvSpec | undefined;
  /** The environment under all wrappers; its class is known where `make` knows the id. */
  readonly unwrapped: AnyEnv;

  reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>>;
  step(action: Action): Awaitable<StepResult<Observation, I>>;
  render(): Awaitable<RenderFrame>;
  /** Frees what is held. A second call does nothing. */
  close(): Awaitable<void>;

  /** State and generators, so that `restore` continues exactly as if nothing had happened in between. */
  snapshot?(): EnvSnapshot;
  restore?(snapshot: EnvSnapshot): void;
  /** The action an expert takes now; `undefined` where none leads to success. */
  oracle?(): Action | undefined;
  /** 1 where an action is allowed now, laid out as the action space's `sample({ mask })` wants it. */
  actionMask?(): Uint8Array;
  /** How this environment speaks with a language model. */
  readonly dialogue?: Dialogue<Observation, Action, I>;

  // for people who play; agents see none of it, and wrappers do not pass it on: ask `unwrapped`
  /** Key on a keyboard → action. A key is what it writes in lower case, or `left`, `right`, `up`, `down`, `space`. */
  readonly keys?: Readonly<Record<string, Action>>;
  /** An action in a few words, e.g. `append 7`. */
  describeAction?(action: Action): string;
  /** What is to be done in this episode, as one sentence. */
  describeTask?(): string;
  /** A map: the scene from above. */
  renderTop?(size?: { readonly height: number; readonly width: number }): Awaitable<RenderFrame>;
}

// biome-ignore lint/suspicious/noExplicitAny: an environment of whatever types; observation and action are invariant
export type AnyEnv = Env<any, any, any>;
export type ObservationOf<E> = E extends Env<infer O, infer _A, infer _I> ? O : never;
export type ActionOf<E> = E extends Env<infer _O, infer A, infer _I> ? A : never;
export type InfoOf<E> = E extends Env<infer _O, infer _A, infer I> ? I : never;
