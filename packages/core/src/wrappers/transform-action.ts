/** transformAction: the agent acts in another action space; each action is translated before it is executed. */
import type { AnyEnv, Awaitable, Env, Info, StepResult } from '../env.js';
import { checkNames, names } from '../options.js';
import type { Space } from '../spaces/space.js';
import { Wrapper } from './wrapper.js';

export interface TransformActionOptions<Inner, Action> {
  /** The inverse, if there is one: the inner oracle and expert then stay usable. */
  readonly inverse?: ((action: Inner) => Action) | undefined;
}

const TRANSFORM_ACTION_OPTIONS = names<TransformActionOptions<unknown, unknown>>({ inverse: 0 });

export class TransformAction<Observation, Action, Inner, I extends Info> extends Wrapper<
  Observation,
  Action,
  I,
  Observation,
  Inner,
  I
> {
  constructor(
    env: Env<Observation, Inner, I>,
    readonly transform: (action: Action) => Inner,
    readonly space: Space<Action>,
    readonly options: TransformActionOptions<Inner, Action> = {},
  ) {
    checkNames('options', options, TRANSFORM_ACTION_OPTIONS);
    super(env, { hide: ['oracle', 'expert', 'actionMask', 'dialogue'] });
    const { inverse } = options;
    const inner: AnyEnv = env;
    const outer = (action: Inner | undefined) => (action === undefined ? undefined : inverse?.(action));
    if (inverse && inner.oracle) this.oracle = () => outer(inner.oracle!());
    if (inverse && inner.expert) this.expert = () => outer(inner.expert!());
  }

  override get wrapperSpec() {
    return { name: 'transformAction', options: { transform: this.transform, space: this.space, ...this.options } };
  }

  override get actionSpace() {
    return this.space;
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return this.env.step(this.transform(action));
  }
}

/**
 * @param transform  Maps an outer action to one of the environment.
 * @param space      The outer action space.
 *
 * The inner mask and dialogue are hidden: they refer to inner actions.
 */
export function transformAction<Action, Inner>(
  transform: (action: Action) => Inner,
  space: Space<Action>,
  options: TransformActionOptions<Inner, Action> = {},
) {
  return <Observation, I extends Info>(env: Env<Observation, Inner, I>) =>
    new TransformAction(env, transform, space, options);
}
