/**
 * Steps and draws many worlds in one thread, without a promise per step, into one block of memory.
 *
 * The worlds share renderer, textures and meshes. For several threads, create one vector per worker over parts of one
 * `SharedArrayBuffer`. `makeVec(id, { vectorization: 'worker' })` is simpler and slower.
 */
import { InvalidOptionError } from '@vlgym/core';
import { type FrameOptions, SerialVectorEnv, type VectorOptions } from '@vlgym/core/vector';
import type { TaskName } from '../tasks/suite.js';
import type { Task } from '../tasks/task.js';
import { createMiniWorld, type ObservationOfTask, type OptionsOfKind } from './make-task.js';
import { MiniWorldEnv, type MiniWorldInfo } from './miniworld-env.js';
import type { ViewOfKind } from './observations.js';
import { type MiniWorldOptions, type ObservationKind, optionsObject } from './options.js';

export interface MiniWorldVectorOptions<Name extends TaskName, Kind extends ObservationKind = ObservationKind>
  extends VectorOptions,
    FrameOptions {
  /** Options shared by all worlds of a vector. */
  readonly options?: OptionsOfKind<Name, Kind> | undefined;
}

/** Options for worlds of a custom task. */
export interface OwnVectorOptions<Kind extends ObservationKind> extends VectorOptions, FrameOptions {
  readonly options?: (MiniWorldOptions & { readonly observation?: Kind | undefined }) | undefined;
}

/**
 * Creates the vector, for a task of the suite by name, or for your own task: its function is called once per world. Its
 * `reset` and `step` return plain values, not promises.
 *
 * @example
 * const frames = new Uint8Array(16 * 60 * 80 * 3);
 * const worlds = await createMiniWorldVector('Hallway', { numEnvs: 16, frames });
 * const own = await createMiniWorldVector(() => myTask(), { numEnvs: 16 });
 */
export async function createMiniWorldVector<Name extends TaskName, const Kind extends ObservationKind = 'rgb'>(
  name: Name,
  options: MiniWorldVectorOptions<Name, Kind>,
): Promise<SerialVectorEnv<ObservationOfTask<Name, Kind>, number, MiniWorldInfo>>;
export async function createMiniWorldVector<const Kind extends ObservationKind = 'rgb'>(
  task: () => Task,
  options: OwnVectorOptions<Kind>,
): Promise<SerialVectorEnv<ViewOfKind<Kind>, number, MiniWorldInfo>>;
export async function createMiniWorldVector(
  task: TaskName | (() => Task),
  { options = {}, ...vector }: MiniWorldVectorOptions<TaskName> | OwnVectorOptions<ObservationKind>,
): Promise<SerialVectorEnv<never, number, MiniWorldInfo>> {
  if (typeof task !== 'function' && typeof task !== 'string') {
    const hint = 'a task holds the state of one world, so each world needs its own: () => myTask()';
    throw new InvalidOptionError('task', task, 'the name of a world, or a function that returns a task', hint);
  }
  const kind = optionsObject(options).observation ?? 'rgb';
  if (vector.frames && kind !== 'rgb')
    throw new InvalidOptionError('observation', kind, "'rgb', to draw into `frames`");
  return SerialVectorEnv.create<never, number, MiniWorldInfo>(() => {
    const env = typeof task === 'string' ? createMiniWorld(task, options) : new MiniWorldEnv(task(), options);
    return env as unknown as MiniWorldEnv<never>;
  }, vector);
}
