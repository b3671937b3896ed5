/** transformObservation: applies a function to every observation; `space` contains the results. */

import { chain } from '../../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../../env.js';
import type { WrapperSpec } from '../../registry/spec/spec.js';
import type { Space } from '../../spaces/space.js';
import { Wrapper, type WrapperOptions } from '../wrapper.js';

/** Base of wrappers that change only observations, one by one. */
export class ObservationWrapper<Inner, Observation, Action, I extends Info> extends Wrapper<
  Observation,
  Action,
  I,
  Inner,
  Action,
  I
> {
  readonly #space: Space<Observation>;
  readonly #transform: (observation: Inner) => Observation;
  readonly #spec: WrapperSpec;

  constructor(
    env: Env<Inner, Action, I>,
    transform: (observation: Inner) => Observation,
    space: Space<Observation>,
    spec: WrapperSpec,
    options?: WrapperOptions,
  ) {
    super(env, options);
    this.#transform = transform;
    this.#space = space;
    this.#spec = spec;
  }

  override get wrapperSpec() {
    return this.#spec;
  }

  override get observationSpace() {
    return this.#space;
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return chain(this.env.reset(options), (result) => ({
      ...result,
      observation: this.#transform(result.observation),
    }));
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => ({
      ...result,
      observation: this.#transform(result.observation),
    }));
  }
}

/**
 * @param transform  Pure; returns a new value.
 * @param space      The space of the results.
 *
 * The inner dialogue is hidden: it expects the original observations.
 */
export function transformObservation<Inner, Observation>(
  transform: (observation: Inner) => Observation,
  space: Space<Observation>,
) {
  return <Action, I extends Info>(env: Env<Inner, Action, I>) =>
    new ObservationWrapper(
      env,
      transform,
      space,
      { name: 'transformObservation', options: { transform, space } },
      { hide: ['dialogue'] },
    );
}
