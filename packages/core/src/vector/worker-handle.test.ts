import { expect, it } from 'vitest';
import { WorkerHandle } from './worker-handle.js';

it('a bundle without the file of the threads is told so at once, with the next step', async () => {
  const workerUrl = new URL('file:///srv/app/vector/worker.js');
  await expect(WorkerHandle.start({} as never, { workerUrl })).rejects.toMatchObject({
    code: 'WORKER_FILE_MISSING',
    value: workerUrl.href,
    hint: expect.stringContaining('--packages=external'),
  });
});
