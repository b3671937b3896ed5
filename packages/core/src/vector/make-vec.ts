/** `makeVec`: several copies of one registered environment, in this thread or in several. */
import { z } from 'zod';
import type { ActionOf, AnyEnv, InfoOf, ObservationOf } from '../env.js';
import { InvalidOptionError } from '../options.js';
import { option } from '../parse-options.js';
import type { KnownOptions, MadeEnv } from '../registry/known-envs.js';
import { make } from '../registry/make.js';
import { checkMakeOptions, type MakeOptions, makeShape } from '../registry/make-options.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { DrawnRows } from './drawn-rows.js';
import {
  CONCURRENT_OPTIONS,
  ConcurrentVectorEnv,
  type ConcurrentVectorOptions,
  LOCAL_OPTIONS,
  SerialVectorEnv,
} from './local-vector-env.js';
import type { VectorEnv } from './vector-env.js';
import { WorkerVectorEnv } from './worker-vector-env.js';
import { WORKER_OPTIONS, type WorkerVectorOptions } from './worker-vector-options.js';

export interface MakeVecOptions<Allowed = Readonly<Record<string, unknown>>, Given extends Allowed = Allowed>
  extends MakeOptions<Allowed, Given>,
    ConcurrentVectorOptions,
    WorkerVectorOptions {
  /**
   * - `serial` (default): one after the other, without promises where the environment is synchronous.
   * - `concurrent`: all at once, for environments that wait for I/O.
   * - `worker`: threads, for environments that compute.
   */
  readonly vectorization?: 'serial' | 'concurrent' | 'worker' | undefined;
}

export type MadeVectorEnv<Id extends string, Options = never> = VectorEnv<
  ObservationOf<MadeEnv<Id, Options>>,
  ActionOf<MadeEnv<Id, Options>>,
  InfoOf<MadeEnv<Id, Options>>
> &
  AsyncDisposable;

const count = option.integer(1);
const milliseconds = z.number({ error: 'milliseconds' }).positive({ error: 'milliseconds, more than 0' });

const vectorShape = {
  vectorization: option.oneOf(['serial', 'concurrent', 'worker']).optional(),
  numEnvs: count,
  autoreset: option.oneOf(['next-step', 'same-step', 'disabled']).optional(),
  validateActions: option.boolean().optional(),
  stepTimeoutMs: milliseconds.optional(),
  concurrency: count.optional(),
  workers: count.optional(),
  resetTimeoutMs: milliseconds.optional(),
  startTimeoutMs: milliseconds.optional(),
  shareObservations: option.boolean().optional(),
  frames: z.instanceof(Uint8Array, { error: 'a Uint8Array of numEnvs pictures' }).optional(),
  drawn: z.array(z.instanceof(DrawnRows, { error: 'DrawnRows' }), { error: 'an array of DrawnRows' }).optional(),
  resourceLimits: z.looseObject({}, { error: "an object, as Node's `resourceLimits`" }).optional(),
  workerUrl: z.instanceof(URL, { error: 'a URL' }).optional(),
} satisfies Record<Exclude<keyof MakeVecOptions, keyof MakeOptions>, z.ZodType>;

const schema = z.strictObject({ ...makeShape, ...vectorShape });

/**
 * Errors are those of `make`, and of `WorkerVectorEnv.create` for threads.
 *
 * @throws {UnknownOptionError | InvalidOptionError}  An unknown key, or an invalid value.
 *
 * @example
 * const envs = await makeVec('gym_cards/Points24-v0', { numEnvs: 8, vectorization: 'worker' });
 * const { observations } = await envs.reset({ seed: 7 }); // seeds 7 to 14
 */
export async function makeVec<const Id extends string, const Options extends KnownOptions<Id> = never>(
  id: Id | EnvSpec,
  options: MakeVecOptions<KnownOptions<Id>, Options>,
): Promise<MadeVectorEnv<Id, Options>> {
  if (options?.numEnvs === undefined) {
    const hint = `makeVec(${typeof id === 'string' ? `'${id}'` : 'spec'}, { numEnvs: 8 })`;
    throw new InvalidOptionError('numEnvs', undefined, 'how many environments: an integer of 1 or more', hint);
  }
  checkMakeOptions('makeVec', options, schema);
  const create = async () => (await make(id, pick(options, Object.keys(makeShape)))) as AnyEnv;
  const only = (names: readonly string[]) => pick(options, names) as MakeVecOptions;
  switch (options.vectorization ?? 'serial') {
    case 'serial':
      return (await SerialVectorEnv.create(create, only(LOCAL_OPTIONS))) as MadeVectorEnv<Id, Options>;
    case 'concurrent':
      return (await ConcurrentVectorEnv.create(create, only(CONCURRENT_OPTIONS))) as MadeVectorEnv<Id, Options>;
    case 'worker':
      if (options.frames)
        throw new InvalidOptionError(
          'frames',
          'a block of memory',
          "vectorization 'serial' or 'concurrent'",
          'leave `frames` out: threads share their observations by `shareObservations`',
        );
      return (await WorkerVectorEnv.create(await create(), only(WORKER_OPTIONS))) as MadeVectorEnv<Id, Options>;
  }
}

/** The given entries of `options` with these names. */
function pick<T extends object>(options: T, names: readonly string[]): Partial<T> {
  const entries = Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
