/**
 * normalizeObservation and normalizeReward: by running statistics of what was seen so far.
 *
 * Rules follow Gymnasium's `NormalizeObservation` (`gymnasium/wrappers/stateful_observation.py`) and `NormalizeReward`
 * (`gymnasium/wrappers/stateful_reward.py`).
 */
import { z } from 'zod';
import { chain } from '../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import { checkNames, InvalidOptionError, names } from '../options.js';
import { parseState } from '../snapshot.js';
import type { TypedArray } from '../spaces/arrays.js';
import { BoxSpace } from '../spaces/box.js';
import type { Space } from '../spaces/space.js';
import { boxOf } from './box-of.js';
import { type Moments, RunningMoments, savedMoments } from './running-moments.js';
import { Wrapper } from './wrapper.js';

export interface NormalizeOptions {
  /** Added to the variance. Default 1e-8. */
  readonly epsilon?: number | undefined;
  /** Count what is seen; `false` for evaluation. Default true. */
  readonly update?: boolean | undefined;
}

export interface NormalizeRewardOptions extends NormalizeOptions {
  /** Discount of the return whose variance divides the reward. Default 0.99. */
  readonly gamma?: number | undefined;
}

const NORMALIZE_OBSERVATION_OPTIONS = names<NormalizeOptions>({ epsilon: 0, update: 0 });

export class NormalizeObservation<Action, I extends Info> extends Wrapper<
  Float32Array,
  Action,
  I,
  TypedArray,
  Action,
  I
> {
  /** Set it to `false` to keep the statistics as they are. */
  update: boolean;
  readonly #epsilon: number;
  readonly #space: Space<Float32Array>;
  readonly #moments: RunningMoments;

  /** @throws {GymError} `NOT_A_BOX_SPACE` @throws {InvalidOptionError} */
  constructor(env: Env<TypedArray, Action, I>, options: NormalizeOptions = {}) {
    checkNames('options', options, NORMALIZE_OBSERVATION_OPTIONS);
    const { epsilon = 1e-8, update = true } = options;
    super(env, { hide: ['dialogue'] });
    const { shape, size } = boxOf(env.observationSpace);
    this.#epsilon = positive('epsilon', epsilon);
    this.update = update;
    this.#space = new BoxSpace({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, shape });
    this.#moments = new RunningMoments(size);
  }

  override get wrapperSpec() {
    return { name: 'normalizeObservation', options: { epsilon: this.#epsilon, update: this.update } };
  }

  override get observationSpace() {
    return this.#space;
  }

  /** Mean, variance and count so far. */
  get statistics(): Moments {
    return this.#moments.save();
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Float32Array, I>> {
    return chain(this.env.reset(options), (result) => ({
      ...result,
      observation: this.#normalized(result.observation),
    }));
  }

  override step(action: Action): Awaitable<StepResult<Float32Array, I>> {
    return chain(this.env.step(action), (result) => ({ ...result, observation: this.#normalized(result.observation) }));
  }

  #normalized(observation: TypedArray): Float32Array {
    if (this.update) this.#moments.update(observation);
    const { mean, variance } = this.#moments;
    return Float32Array.from(
      observation as ArrayLike<number>,
      (value, index) => (value - mean[index]!) / Math.sqrt(variance[index]! + this.#epsilon),
    );
  }

  protected override saveState(): unknown {
    return this.statistics;
  }

  protected override parseState(state: unknown): Moments {
    return parseState(state, this.snapshotKind, savedMoments(this.#moments.mean.length));
  }

  protected override loadState(moments: Moments): void {
    this.#moments.load(moments);
  }
}

const SAVED_REWARD = z.strictObject({ moments: savedMoments(1), discounted: z.number() });

const NORMALIZE_REWARD_OPTIONS = names<NormalizeRewardOptions>({ gamma: 0, epsilon: 0, update: 0 });

export class NormalizeReward<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  /** Set it to `false` to keep the statistics as they are. */
  update: boolean;
  readonly #gamma: number;
  readonly #epsilon: number;
  readonly #moments = new RunningMoments(1);
  #discounted = 0;

  /** @throws {InvalidOptionError} */
  constructor(env: Env<Observation, Action, I>, options: NormalizeRewardOptions = {}) {
    checkNames('options', options, NORMALIZE_REWARD_OPTIONS);
    const { gamma = 0.99, epsilon = 1e-8, update = true } = options;
    super(env);
    if (!(gamma >= 0 && gamma <= 1)) throw new InvalidOptionError('gamma', gamma, 'a number from 0 to 1');
    this.#gamma = gamma;
    this.#epsilon = positive('epsilon', epsilon);
    this.update = update;
  }

  override get wrapperSpec() {
    return { name: 'normalizeReward', options: { gamma: this.#gamma, epsilon: this.#epsilon, update: this.update } };
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => {
      // An end by truncation keeps the return, as in Gymnasium.
      this.#discounted = this.#discounted * this.#gamma * (result.terminated ? 0 : 1) + result.reward;
      if (this.update) this.#moments.update([this.#discounted]);
      return { ...result, reward: result.reward / Math.sqrt(this.#moments.variance[0]! + this.#epsilon) };
    });
  }

  protected override saveState(): unknown {
    return { moments: this.#moments.save(), discounted: this.#discounted };
  }

  protected override parseState(state: unknown) {
    return parseState(state, this.snapshotKind, SAVED_REWARD);
  }

  protected override loadState({ moments, discounted }: z.output<typeof SAVED_REWARD>): void {
    this.#moments.load(moments);
    this.#discounted = discounted;
  }
}

function positive(name: string, value: number): number {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidOptionError(name, value, 'a number above 0');
}

/** Observations with mean 0 and variance 1, by what was seen so far. The dialogue below is hidden. */
export function normalizeObservation(options: NormalizeOptions = {}) {
  return <Action, I extends Info>(env: Env<Float32Array, Action, I> | Env<TypedArray, Action, I>) =>
    new NormalizeObservation<Action, I>(env as Env<TypedArray, Action, I>, options);
}

/** Rewards divided by the standard deviation of the discounted return so far. */
export function normalizeReward(options: NormalizeRewardOptions = {}) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new NormalizeReward(env, options);
}
