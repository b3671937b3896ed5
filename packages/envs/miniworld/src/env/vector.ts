/**
 * Steps and draws many worlds in one thread, without a promise per step, into one block of memory.
 *
 * The worlds share renderer, textures and meshes. For several threads, create one vector per worker over parts of one
 * `SharedArrayBuffer`. `makeVec(id, { vectorization: 'worker' })` is simpler and slower.
 */
import { InvalidOptionError, SerialVectorEnv, type VectorOptions } from '@vlgym/core';
import type { TaskName } from '../tasks/suite.js';
import { createMiniWorld, type ObservationOfTask, type OptionsOfKind } from './make-task.js';
import type { MiniWorldInfo } from './miniworld-env.js';
import { type ObservationKind, optionsObject } from './options.js';

export interface MiniWorldVectorOptions<Name extends TaskName, Kind extends ObservationKind = ObservationKind>
  extends VectorOptions {
  /** Options of every world. */
  readonly options?: OptionsOfKind<Name, Kind>;
  /**
   * `numEnvs * obsHeight * obsWidth * 3` bytes, which may be in a `SharedArrayBuffer`. Observations of kind `rgb` are
   * consecutive views of it that the next step overwrites; `finalObservation` is a copy. Omitted: every observation has
   * its own buffer.
   */
  readonly frames?: Uint8Array;
}

/**
 * Creates the vector. Its `reset` and `step` return plain values, not promises.
 *
 * @example
 * const frames = new Uint8Array(16 * 60 * 80 * 3);
 * const worlds = await createMiniWorldVector('Hallway', { numEnvs: 16, frames });
 */
export async function createMiniWorldVector<Name extends TaskName, const Kind extends ObservationKind = 'rgb'>(
  name: Name,
  { options = {} as OptionsOfKind<Name, Kind>, frames, ...vector }: MiniWorldVectorOptions<Name, Kind>,
): Promise<SerialVectorEnv<ObservationOfTask<Name, Kind>, number, MiniWorldInfo>> {
  const { obsHeight = 60, obsWidth = 80 } = optionsObject(options);
  const bytes = 3 * obsHeight * obsWidth;
  if (frames && frames.length !== vector.numEnvs * bytes) {
    throw new InvalidOptionError('frames', frames.length, `${vector.numEnvs * bytes} bytes`);
  }
  return SerialVectorEnv.create<ObservationOfTask<Name, Kind>, number, MiniWorldInfo>((index) => {
    const env = createMiniWorld<Name, Kind>(name, options);
    if (frames) {
      // With this mode the next episode's first picture is drawn before the caller sees this episode's last one.
      const copyLast = vector.autoreset === 'same-step';
      env.drawInto(frames.subarray(index * bytes, (index + 1) * bytes), { copyLast });
    }
    return env;
  }, vector);
}
