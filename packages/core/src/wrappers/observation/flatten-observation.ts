/** flattenObservation: every observation as one flat array, like Gymnasium's `FlattenObservation`. */
import type { Env, Info } from '../../env.js';
import type { TypedArray } from '../../spaces/arrays.js';
import { flatSize, flatten, flattenSpace } from '../../spaces/flat/flatten.js';
import type { Space } from '../../spaces/space.js';
import { ObservationWrapper } from './transform-observation.js';

/** @throws {NotFlattenableError} Observations have no fixed number of entries. The dialogue below is hidden. */
export function flattenObservation() {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => {
    flatSize(env.observationSpace);
    return new ObservationWrapper<Observation, TypedArray, Action, I>(
      env,
      (observation) => flatten(env.observationSpace, observation) as TypedArray,
      flattenSpace(env.observationSpace) as unknown as Space<TypedArray>,
      { name: 'flattenObservation' },
      { hide: ['dialogue'] },
    );
  };
}
