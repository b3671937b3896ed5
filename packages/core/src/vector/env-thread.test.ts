import { expect, it } from 'vitest';
import { EnvThread } from './env-thread.js';

it('a bundle without the file of the threads is told so at once, with the next step', () => {
  const workerUrl = new URL('file:///srv/app/vector/worker.js');
  expect(() => new EnvThread({ workerUrl })).toThrow(
    expect.objectContaining({
      code: 'WORKER_FILE_MISSING',
      value: workerUrl.href,
      hint: expect.stringContaining('--packages=external'),
    }),
  );
});
