/** The thread of `threadEnvs`: makes environments from their spec and answers calls to each of them, in order. */
import { parentPort } from 'node:worker_threads';
import { type AnyEnv, makeFromSpec } from '@vlgym/core';
import type { ThreadReply, ThreadRequest } from './thread-protocol.js';

const port = parentPort!;
const envs = new Map<number, AnyEnv>();
/** The last call of each environment: its next one waits, those of others do not. */
const queues = new Map<number, Promise<void>>();

async function call({ env: index, call: name, argument }: ThreadRequest): Promise<unknown> {
  if (name === 'make') {
    envs.set(index, await makeFromSpec(argument as string));
    return undefined;
  }
  const env = envs.get(index)!;
  switch (name) {
    case 'reset':
      return env.reset(argument as never);
    case 'step':
      return env.step(argument);
    case 'restore':
      return env.restore!(argument as never);
    case 'close':
      envs.delete(index);
      return env.close();
  }
}

async function answer(request: ThreadRequest): Promise<void> {
  const { id, env: index } = request;
  try {
    const result = await call(request);
    const snapshot = envs.get(index)?.snapshot?.();
    port.postMessage({ id, ok: true, result, ...(snapshot && { snapshot }) } satisfies ThreadReply);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const message = error instanceof Error ? error.message : String(error);
    port.postMessage({ id, ok: false, message, ...(typeof code === 'string' && { code }) } satisfies ThreadReply);
  }
}

port.on('message', (request: ThreadRequest) => {
  const before = queues.get(request.env) ?? Promise.resolve();
  queues.set(
    request.env,
    before.then(() => answer(request)),
  );
});
