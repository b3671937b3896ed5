/** @vlgym/queue is an optional peer dependency: its client of Redis brings a native accelerator with an install script. */
import { GymError } from '@vlgym/core';

/** @throws {GymError} `QUEUE_MISSING`: the package is not installed. */
export async function loadQueue(): Promise<typeof import('@vlgym/queue')> {
  try {
    return await import('@vlgym/queue');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new GymError('The package @vlgym/queue is not installed.', {
      code: 'QUEUE_MISSING',
      expected: '@vlgym/queue next to vlgym',
      hint: 'run `npm install @vlgym/queue`',
      cause,
    });
  }
}
