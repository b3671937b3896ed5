/** A worker of every run on a Redis: runs come and go, as in a benchmark. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadQueue } from '../load-queue.js';
import { openWorker, type WorkerOfRun, type WorkerOfRunOptions } from './worker-of-run.js';

const LOOK_MS = 500;

/** Until the signal. @returns how many episodes were played. */
export async function playAllRuns(options: Omit<WorkerOfRunOptions, 'run'>, signal: AbortSignal): Promise<number> {
  const { runsInProgress } = await loadQueue();
  const { url, say } = options;
  const active = new Map<string, WorkerOfRun>();
  const refused = new Set<string>();
  let episodes = 0;
  const leave = async (run: string) => {
    const worker = active.get(run)!;
    active.delete(run);
    await worker.drain();
    episodes += worker.episodes;
    say(`left ${run} after ${worker.episodes} episodes`);
  };
  while (!signal.aborted) {
    // wait for a broker that restarts; the players of running runs also wait
    const names = await runsInProgress(url).catch(() => undefined);
    for (const run of names ?? []) {
      if (active.has(run) || refused.has(run)) continue;
      try {
        active.set(run, await openWorker({ ...options, run }, signal));
        say(`plays for ${run}`);
      } catch (error) {
        // one that this worker cannot play, e.g. for want of a model folder, must not end the others
        refused.add(run);
        say(`cannot play for ${run}: ${(error as Error).message}`);
      }
    }
    if (names) for (const run of active.keys()) if (!names.includes(run)) await leave(run);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all([...active.keys()].map(leave));
  return episodes;
}
