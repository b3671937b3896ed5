/** One thread with environments, from the rollout's side: answers by number, and one error for all when it ends. */
import { Worker } from 'node:worker_threads';
import { GymError } from '@vlgym/core';
import type { ThreadCall, ThreadReply } from './thread-protocol.js';

/** The thread of an environment ended in the middle of a call. */
export class EnvThreadLostError extends GymError {
  constructor(cause: unknown) {
    super(`A thread of environments ended: ${cause instanceof Error ? cause.message : String(cause)}`, {
      code: 'ENV_THREAD_LOST',
      hint: 'look for `process.exit`, native crashes and memory limits in the environment',
      cause,
    });
  }
}

export class EnvThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (reply: ThreadReply) => void; reject: (error: Error) => void }>();
  #next = 0;
  #lost: EnvThreadLostError | undefined;
  /** Environments that live in it. */
  readonly made = new Set<number>();

  constructor() {
    this.#worker = new Worker(workerUrl());
    this.#worker.unref();
    let uncaught: unknown;
    this.#worker.on('message', (reply: ThreadReply) => this.#settle(reply));
    this.#worker.on('error', (error) => {
      uncaught = error;
    });
    this.#worker.on('exit', (code) => this.#lose(uncaught ?? new Error(`it exited with code ${code}`)));
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** @throws {EnvThreadLostError} @throws {GymError} what the environment threw. */
  async ask(env: number, call: ThreadCall, argument: unknown): Promise<ThreadReply & { readonly ok: true }> {
    if (this.#lost) throw this.#lost;
    const id = this.#next++;
    const answer = new Promise<ThreadReply>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    // the thread keeps the process only while somebody waits for it
    this.#worker.ref();
    this.#worker.postMessage({ id, env, call, argument });
    const reply = await answer;
    if (reply.ok) return reply;
    throw new GymError(reply.message, { code: reply.code ?? 'ENVIRONMENT_ERROR' });
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: ThreadReply): void {
    this.#waiting.get(reply.id)?.resolve(reply);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #lose(cause: unknown): void {
    this.#lost ??= new EnvThreadLostError(cause);
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

/** Next to the built entry point; sources use the build too, because Node cannot run a TypeScript thread. */
function workerUrl(): URL {
  const here = import.meta.url;
  const fromSource = here.endsWith('.ts');
  return fromSource
    ? new URL('../../dist/rollout/thread-worker.js', here)
    : new URL('./rollout/thread-worker.js', here);
}
