/**
 * The contract: Gymnasium's `reset` / `step`, made for async.
 *
 * A synchronous environment returns plain values, an asynchronous one promises; callers `await` both. Every call
 * returns fresh objects: a caller may keep them forever. Capabilities that only some environments have (snapshots, an
 * oracle, a mask, a dialogue) are optional; test for their presence. Rules: `Farama-Foundation/Gymnasium`, `gymnasium/core.py`.
 */
import type { Dialogue } from './dialogue/dialogue.js';
import type { Image } from './image.js';
import type { Info, RenderMode } from './info.js';
import type { EnvSpec } from './registry/spec/spec.js';
import type { Space } from './spaces/space.js';

export type Awaitable<T> = T | PromiseLike<T>;

export type { Info, RenderMode };

export interface ResetOptions {
  /** A non-negative integer restarts the generator; without a seed the generator continues. */
  readonly seed?: number | undefined;
  /** Options of one episode (a level, a deck); each environment documents its own. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export interface ResetResult<Observation, I extends Info = Info> {
  readonly observation: Observation;
  readonly info: I;
}

export interface StepResult<Observation, I extends Info = Info> {
  readonly observation: Observation;
  /** One finite number. Its components, if any, are in `info.rewardParts`. */
  readonly reward: number;
  /** The task itself ended: the value of the next state is 0. */
  readonly terminated: boolean;
  /** The episode was cut (time limit, crash); a learner bootstraps from `observation`. */
  readonly truncated: boolean;
  readonly info: I;
}

export interface EnvMetadata {
  readonly renderModes: readonly RenderMode[];
  /** Frames per second of a recorded video. */
  readonly renderFps?: number;
}

/** The result of `render`: a picture for `rgb_array`, text for `ansi`, nothing for `human`. */
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
  /**
   * The most steps that an episode can have by the environment's own rules; absent without a bound. A turn that leaves the
   * environment alone, because no action could be read, counts too (`stepLimitOf`).
   */
  readonly stepLimit?: number | undefined;
  /** How this environment was made; set by `make`. */
  spec: EnvSpec | undefined;
  /** The environment under all wrappers; its class is known if `make` knows the id. */
  readonly unwrapped: AnyEnv;

  reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>>;
  step(action: Action): Awaitable<StepResult<Observation, I>>;
  render(): Awaitable<RenderFrame>;
  /** Releases resources. A second call does nothing. */
  close(): Awaitable<void>;

  /** State and generators, so that `restore` continues exactly from this point. */
  snapshot?(): Awaitable<EnvSnapshot>;
  restore?(snapshot: EnvSnapshot): Awaitable<void>;
  /** The action that leads to success now; `undefined` if none does. */
  oracle?(): Action | undefined;
  /** The reason why `oracle` has no action now, for people; `undefined` if it has one. */
  oracleReason?(): string | undefined;
  /** The best action even where success is out of reach; absent if `oracle` is all that is known. */
  expert?(): Action | undefined;
  /** 1 where an action is allowed now, in the layout of the action space's `sample({ mask })`. */
  actionMask?(): Uint8Array;
  /** The text interface for language models. */
  readonly dialogue?: Dialogue<Observation, Action, I>;

  // for human play; agents do not see it; wrappers pass on only the map, so use `unwrapped` for the rest
  /** Keyboard key → action. A key is its lower-case character, or `left`, `right`, `up`, `down`, `space`. */
  readonly keys?: Readonly<Record<string, Action>>;
  /** An action in a few words, e.g. `append 7`. */
  describeAction?(action: Action): string;
  /** The task of this episode, as one sentence. */
  describeTask?(): string;
  /** The state in words, as much as the picture shows: for people who cannot see it. */
  describeState?(): string;
  /**
   * The reason why an action is against the rules or without effect now, as one sentence; `undefined` if it is not. People
   * are told before the action costs them a step.
   */
  describeRefusal?(action: Action): string | undefined;
  /** How the episode ended and why, as one sentence. @param last  The result of the last step. */
  describeEnd?(last: StepResult<Observation, I>): string | undefined;
  /** The picture after the last step, with what was hidden; it may differ from the last observation. */
  renderEnd?(): Awaitable<RenderFrame>;
  /**
   * The setting to change if an episode recorded with this task (`info.taskKey` of its reset) begins with another
   * observation when it is replayed; `undefined` if none is known.
   */
  replayHint?(taskKey: string): string | undefined;
  /** The scene from above, as a map. */
  renderTop?(size?: { readonly height: number; readonly width: number }): Awaitable<RenderFrame>;
  /** The agent's position on that map, for a marker that people see. */
  topMarker?(size?: { readonly height: number; readonly width: number }): TopMarker;
}

/** A place on a map: pixels from the left and the top, and a heading in radians, counterclockwise from the right. */
export interface TopMarker {
  readonly x: number;
  readonly y: number;
  readonly direction: number;
}

// biome-ignore lint/suspicious/noExplicitAny: an environment of any types; observation and action are invariant
export type AnyEnv = Env<any, any, any>;
export type ObservationOf<E> = E extends Env<infer O, infer _A, infer _I> ? O : never;
export type ActionOf<E> = E extends Env<infer _O, infer A, infer _I> ? A : never;
export type InfoOf<E> = E extends Env<infer _O, infer _A, infer I> ? I : never;
