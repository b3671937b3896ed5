/**
 * Worker threads that take tasks from one list. Without threads, or if this code runs from its sources, whose build may be
 * another, the tasks run in this thread.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { GymError } from '@vlgym/core';
import { builtFile } from '@vlgym/core/internal';
import { type Task, TaskRunner } from './task-runner.js';

const WORKER_FILE = { package: '@vlgym/webshop', path: 'threads/worker.js', otherwise: 'pass `workers: 0`' } as const;

type Answer = { readonly thread: number };

export class ThreadPool implements AsyncDisposable {
  /** One per core, at most 8. */
  static get defaultSize(): number {
    return Math.min(availableParallelism(), 8);
  }

  readonly #workers: Worker[];
  readonly #here: TaskRunner | undefined;

  /** @throws {GymError} `WORKER_FILE_MISSING` */
  constructor(size: number) {
    const threads = import.meta.url.endsWith('.ts') ? 0 : size;
    const file = threads > 0 ? builtFile(import.meta.url, WORKER_FILE) : undefined;
    this.#workers = Array.from({ length: threads }, () => new Worker(file!));
    if (threads === 0) this.#here = new TaskRunner();
  }

  /** Runs tasks and calls `take` for each answer, in any order. @throws {GymError} `THREAD_FAILED` */
  async run<T extends Task, A extends Answer>(
    tasks: readonly T[],
    take: (answer: A, index: number) => void | Promise<void>,
  ): Promise<void> {
    const list = tasks.entries();
    const runAll = async (work: (task: T) => Promise<A>) => {
      for (const [index, task] of list) await take(await work(task), index);
    };
    const here = this.#here;
    if (here) await runAll(async (task) => ({ ...here.run(task).answer, thread: 0 }) as unknown as A);
    else await Promise.all(this.#workers.map((worker, thread) => runAll((task) => ask<T, A>(worker, task, thread))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#here?.close();
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function ask<T, A>(worker: Worker, task: T, thread: number): Promise<A> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) =>
      reject(
        new GymError('A worker thread of the catalog failed.', {
          code: 'THREAD_FAILED',
          cause,
          hint: 'run with `workers: 0` to see where',
        }),
      );
    const done = (answer: object) => {
      worker.off('error', failed);
      resolve({ ...answer, thread } as A);
    };
    worker.once('message', done);
    worker.once('error', failed);
    worker.postMessage(task);
  });
}
