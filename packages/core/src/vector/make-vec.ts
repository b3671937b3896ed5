/** `makeVec`: several copies of one registered environment, in this thread or in several. */
import type { ActionOf, AnyEnv, InfoOf, ObservationOf } from '../env.js';
import { InvalidOptionError } from '../options.js';
import { type MadeEnv, type MakeOptions, make } from '../registry/make.js';
import type { EnvSpec } from '../registry/spec.js';
import { ConcurrentVectorEnv, type ConcurrentVectorOptions, SerialVectorEnv } from './local-vector-env.js';
import type { VectorEnv } from './vector-env.js';
import { WorkerVectorEnv, type WorkerVectorOptions } from './worker-vector-env.js';

export interface MakeVecOptions extends MakeOptions, ConcurrentVectorOptions, WorkerVectorOptions {
  /**
   * - `serial` (default): one after the other, without promises where the environment is synchronous.
   * - `concurrent`: all at once, for environments that wait.
   * - `worker`: threads, for environments that compute.
   */
  readonly vectorization?: 'serial' | 'concurrent' | 'worker';
}

export type MadeVectorEnv<Id extends string> = VectorEnv<
  ObservationOf<MadeEnv<Id>>,
  ActionOf<MadeEnv<Id>>,
  InfoOf<MadeEnv<Id>>
> &
  AsyncDisposable;

/**
 * Errors are those of `make`, and of `WorkerVectorEnv.create` for threads.
 *
 * @example
 * const envs = await makeVec('gym_cards/Points24-v0', { numEnvs: 8, vectorization: 'worker' });
 * const { observations } = await envs.reset({ seed: 7 }); // seeds 7 to 14
 */
export async function makeVec<const Id extends string>(
  id: Id | EnvSpec,
  { vectorization = 'serial', ...options }: MakeVecOptions,
): Promise<MadeVectorEnv<Id>> {
  const create = async () => (await make(id, options)) as AnyEnv;
  switch (vectorization) {
    case 'serial':
      return (await SerialVectorEnv.create(create, options)) as MadeVectorEnv<Id>;
    case 'concurrent':
      return (await ConcurrentVectorEnv.create(create, options)) as MadeVectorEnv<Id>;
    case 'worker':
      return (await WorkerVectorEnv.create(await create(), options)) as MadeVectorEnv<Id>;
    default:
      throw new InvalidOptionError('vectorization', vectorization, "'serial', 'concurrent' or 'worker'");
  }
}
