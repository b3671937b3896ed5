import { GymError } from '../errors.js';

/** A lost thread could not be restarted; the vector cannot continue. */
export class WorkerRestartError extends GymError {
  constructor(
    readonly indices: readonly number[],
    readonly attempts: number,
    cause: unknown,
  ) {
    super(`The thread of the environments ${indices.join(', ')} could not be restarted in ${attempts} attempts.`, {
      code: 'WORKER_RESTART',
      value: indices,
      hint: 'see the cause: an error while the environment was made',
      cause,
    });
  }
}
