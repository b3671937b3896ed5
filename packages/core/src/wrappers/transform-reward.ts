/** transformReward and clipReward: apply a function to every reward. */

import { chain } from '../async/chain.js';
import type { Awaitable, Env, Info, StepResult } from '../env.js';
import { checkNames, InvalidOptionError } from '../options.js';
import type { WrapperSpec } from '../registry/spec/spec.js';
import { Wrapper } from './wrapper.js';

export class TransformReward<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #transform: (reward: number) => number;
  readonly #spec: WrapperSpec;

  constructor(env: Env<Observation, Action, I>, transform: (reward: number) => number, spec: WrapperSpec) {
    super(env);
    this.#transform = transform;
    this.#spec = spec;
  }

  override get wrapperSpec() {
    return this.#spec;
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => ({ ...result, reward: this.#transform(result.reward) }));
  }
}

export function transformReward(transform: (reward: number) => number) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) =>
    new TransformReward(env, transform, { name: 'transformReward', options: { transform } });
}

const CLIP_REWARD_OPTIONS = ['min', 'max'];

/** @throws {InvalidOptionError} `min` is not at most `max`. */
export function clipReward(options: { readonly min?: number | undefined; readonly max?: number | undefined } = {}) {
  checkNames('options', options, CLIP_REWARD_OPTIONS);
  const { min = -1, max = 1 } = options;
  if (!(min <= max)) throw new InvalidOptionError('min', min, `a number up to max, ${max}`);
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) =>
    new TransformReward(env, (reward) => Math.min(Math.max(reward, min), max), {
      name: 'clipReward',
      options: { min, max },
    });
}
