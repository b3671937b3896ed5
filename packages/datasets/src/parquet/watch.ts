/**
 * The watch over the process that decodes: a thread that ends it where it computes for too long, or takes too much memory.
 *
 * The decoding thread may be in an endless loop, where neither its own timers nor messages of its parent are heard.
 * Its time is that of the processor, so that a busy machine takes nothing of it.
 */
import { writeSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { WithinTime } from './decode.js';
import { EXCEEDED } from './protocol.js';

/** Seconds for any piece of work, however small. */
const SECONDS = 1;
/** Bytes per second that the slowest machine decodes. */
const RATE = 4 * 2 ** 20;
const LOOK_EVERY_MS = 50;

interface Watched {
  /** Seconds of the processor at which the process ends; one number, shared. */
  readonly deadline: Float64Array;
  readonly memoryBytes: number;
}

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** @param file  The built file of the process, which starts the watch as its thread. */
export function startWatch(file: URL, memoryBytes: number): WithinTime {
  const deadline = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(
    Number.POSITIVE_INFINITY,
  );
  const watched: Watched = { deadline, memoryBytes };
  new Worker(file, { workerData: watched }).unref();
  return async (bytes, work) => {
    deadline[0] = used() + SECONDS + bytes / RATE;
    try {
      return await work();
    } finally {
      deadline[0] = Number.POSITIVE_INFINITY;
    }
  };
}

/** In the thread. */
export function watch(): void {
  const { deadline, memoryBytes } = workerData as Watched;
  setInterval(() => {
    if (used() > deadline[0]!) end(EXCEEDED.time);
    if (process.memoryUsage.rss() > memoryBytes) end(EXCEEDED.memory);
  }, LOOK_EVERY_MS);
  parentPort?.on('message', () => {});
}

function end(why: string): void {
  writeSync(2, why);
  process.kill(process.pid, 'SIGKILL');
}
