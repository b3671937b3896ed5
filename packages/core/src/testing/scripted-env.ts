/**
 * ScriptedEnv: an environment whose results are given as functions, for tests of wrappers and agents. By default it counts
 * steps. Modeled on `tests/testing_env.py` of Gymnasium.
 */
import { BaseEnv } from '../base-env.js';
import type { Awaitable, EnvMetadata, RenderFrame, RenderMode, ResetOptions, ResetResult, StepResult } from '../env.js';
import { DiscreteSpace } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';

export interface Script<Observation = number, Action = number> {
  readonly observationSpace?: Space<Observation>;
  readonly actionSpace?: Space<Action>;
  readonly renderMode?: RenderMode;
  readonly metadata?: EnvMetadata;
  /** Observation (or observation and info) of a reset; default 0. */
  readonly reset?: (options: ResetOptions) => Awaitable<Partial<ResetResult<Observation>>>;
  /** Changes to `{ observation: count, reward: 1, terminated: false, truncated: false, info: {} }`. */
  readonly step?: (action: Action, count: number) => Awaitable<Partial<StepResult<Observation>>>;
  readonly render?: () => Awaitable<RenderFrame>;
  readonly close?: () => Awaitable<void>;
}

export class ScriptedEnv<Observation = number, Action = number> extends BaseEnv<Observation, Action> {
  override readonly metadata: EnvMetadata;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace: Space<Action>;
  /** Every call, in order: `['reset', { seed: 1 }]`, `['step', 0]`, `['close']`, … */
  readonly calls: (readonly [method: string, argument?: unknown])[] = [];
  readonly #script: Script<Observation, Action>;
  #count = 0;

  constructor(script: Script<Observation, Action> = {}) {
    super({ renderMode: script.renderMode });
    this.metadata = script.metadata ?? { renderModes: script.renderMode ? [script.renderMode] : [] };
    this.observationSpace = script.observationSpace ?? (new DiscreteSpace(1000) as unknown as Space<Observation>);
    this.actionSpace = script.actionSpace ?? (new DiscreteSpace(2) as unknown as Space<Action>);
    this.#script = script;
  }

  reset(options: ResetOptions = {}): Awaitable<ResetResult<Observation>> {
    this.calls.push(['reset', options]);
    if (options.seed !== undefined) this.reseed(options.seed);
    this.#count = 0;
    return fill(this.#script.reset?.(options), { observation: 0 as Observation, info: {} });
  }

  step(action: Action): Awaitable<StepResult<Observation>> {
    this.calls.push(['step', action]);
    this.#count += 1;
    return fill(this.#script.step?.(action, this.#count), {
      observation: this.#count as Observation,
      reward: 1,
      terminated: false,
      truncated: false,
      info: {},
    });
  }

  override render(): Awaitable<RenderFrame> {
    this.calls.push(['render']);
    return this.#script.render?.();
  }

  protected override dispose(): Awaitable<void> {
    this.calls.push(['close']);
    return this.#script.close?.();
  }
}

function fill<T extends object>(given: Awaitable<Partial<T>> | undefined, defaults: T): Awaitable<T> {
  if (given && typeof (given as { then?: unknown }).then === 'function') {
    return (given as PromiseLike<Partial<T>>).then((partial) => ({ ...defaults, ...partial }));
  }
  return { ...defaults, ...(given as Partial<T> | undefined) };
}
