/** @vlgym/queue is an optional peer dependency: its client of Redis brings a native accelerator with an install script. */
import { GymError } from '@vlgym/core';

const entries = () =>
  Promise.all([import('@vlgym/queue'), import('@vlgym/queue/engines'), import('@vlgym/queue/redis')] as const);

type Queue =
  Awaited<ReturnType<typeof entries>> extends readonly [infer Main, infer Engines, infer Redis]
    ? Main & Engines & Redis
    : never;

/** All entries of the package. @throws {GymError} `QUEUE_MISSING`: the package is not installed. */
export async function loadQueue(): Promise<Queue> {
  try {
    const [main, engines, redis] = await entries();
    return { ...main, ...engines, ...redis };
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
