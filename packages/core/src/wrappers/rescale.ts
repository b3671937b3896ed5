/**
 * rescaleObservation and rescaleAction: a bounded box mapped linearly to other bounds.
 *
 * Rules follow Gymnasium's `RescaleObservation` and `RescaleAction` (`gymnasium/wrappers/utils.py`, `rescale_box`).
 */
import type { Env, Info } from '../env.js';
import { checkNames, InvalidOptionError, names } from '../options.js';
import { DTYPES, type DType, makeArray, type TypedArray } from '../spaces/arrays.js';
import { BoxSpace } from '../spaces/box.js';
import type { Space } from '../spaces/space.js';
import { boundedBoxOf } from './box-of.js';
import { ObservationWrapper } from './observation/transform-observation.js';
import { TransformAction } from './transform-action.js';

export interface RescaleOptions {
  /** One bound for all elements, or one per element. Default -1 and 1. */
  readonly min?: number | readonly number[] | undefined;
  readonly max?: number | readonly number[] | undefined;
}

interface Rescaling {
  readonly space: BoxSpace<DType>;
  /** From the bounds of the environment to the new ones, and back. */
  readonly forward: (value: TypedArray) => TypedArray;
  readonly backward: (value: TypedArray) => TypedArray;
  readonly spec: Required<RescaleOptions>;
}

function rescaling(inner: Space, { min = -1, max = 1 }: RescaleOptions): Rescaling {
  const box = boundedBoxOf(inner);
  const { float } = DTYPES[box.dtype];
  if (!float) throw new InvalidOptionError('dtype', box.dtype, 'a box of floats, or a transformation of your own');
  const bound = (name: string, given: number | readonly number[], index: number): number => {
    const value = typeof given === 'number' ? given : given[index];
    if (Number.isFinite(value) && (typeof given === 'number' || given.length === box.size)) return value!;
    throw new InvalidOptionError(name, given, `a number, or ${box.size} numbers`);
  };
  const gradient: number[] = [];
  const intercept: number[] = [];
  for (let index = 0; index < box.size; index += 1) {
    const [low, high] = [box.low[index]!, box.high[index]!];
    const [newLow, newHigh] = [bound('min', min, index), bound('max', max, index)];
    if (newLow > newHigh) throw new InvalidOptionError('min', newLow, `a number up to max, ${newHigh}`);
    // an element with one possible value maps to the lower bound, as in Gymnasium
    gradient.push(high === low ? 0 : (newHigh - newLow) / (high - low));
    intercept.push(newLow - low * gradient[index]!);
  }
  const list = (given: number | readonly number[]) => (typeof given === 'number' ? given : [...given]);
  const space = new BoxSpace({ low: list(min), high: list(max), shape: box.shape, dtype: box.dtype });
  const map = (value: TypedArray, to: BoxSpace<DType>, change: (element: number, index: number) => number) => {
    const mapped = makeArray(box.dtype, box.size);
    // rounding must not leave the bounds
    for (let index = 0; index < mapped.length; index += 1) {
      mapped[index] = Math.min(Math.max(change(value[index]!, index), to.low[index]!), to.high[index]!);
    }
    return mapped;
  };
  return {
    space,
    forward: (value) => map(value, space, (element, index) => element * gradient[index]! + intercept[index]!),
    backward: (value) =>
      map(value, box, (element, index) =>
        gradient[index] === 0 ? box.low[index]! : (element - intercept[index]!) / gradient[index]!,
      ),
    spec: { min, max },
  };
}

/** @throws {GymError} `NOT_A_BOX_SPACE`: the observation is not a bounded box of floats. */
export function rescaleObservation(options: RescaleOptions = {}) {
  checkNames('options', options, RESCALE_OPTIONS);
  return <Observation extends TypedArray, Action, I extends Info>(env: Env<Observation, Action, I>) => {
    const { space, forward, spec } = rescaling(env.observationSpace, options);
    return new ObservationWrapper<Observation, Observation, Action, I>(
      env,
      forward as (value: TypedArray) => Observation,
      space as unknown as Space<Observation>,
      { name: 'rescaleObservation', options: spec },
      { hide: ['dialogue'] },
    );
  };
}

class RescaleAction<Observation, Action, I extends Info> extends TransformAction<Observation, Action, Action, I> {
  readonly #spec: Required<RescaleOptions>;

  constructor(env: Env<Observation, Action, I>, { space, forward, backward, spec }: Rescaling) {
    super(env, backward as unknown as (action: Action) => Action, space as unknown as Space<Action>, {
      inverse: forward as unknown as (action: Action) => Action,
    });
    this.#spec = spec;
  }

  override get wrapperSpec() {
    return { name: 'rescaleAction', options: this.#spec as never };
  }
}

const RESCALE_OPTIONS = names<RescaleOptions>({ min: 0, max: 0 });

/** The agent acts between `min` and `max`. @throws {GymError} `NOT_A_BOX_SPACE`: the action is not a bounded box of floats. */
export function rescaleAction(options: RescaleOptions = {}) {
  checkNames('options', options, RESCALE_OPTIONS);
  return <Observation, Action extends TypedArray, I extends Info>(env: Env<Observation, Action, I>) =>
    new RescaleAction(env, rescaling(env.actionSpace, options));
}
