/** A worker of one run, from its announcement to its end. */
import type { WorkOrder } from '@vlgym/queue';
import type { RunNow, WorkerEvent } from '@vlgym/queue/redis';
import { loadQueue } from '../load-queue.js';
import { openWorkerPlayer, type WorkerChoices } from './worker-player.js';

export interface WorkerOfRunOptions extends WorkerChoices {
  readonly url: string;
  readonly run: string;
  readonly blobs: string;
  readonly concurrency: number;
  readonly graceSeconds: number;
  readonly waitSeconds: number;
  readonly leaseSeconds: number;
  readonly say: (line: string) => void;
}

export interface WorkerOfRun {
  /** Id of the environment. */
  readonly environment: string;
  /** Played so far. */
  readonly episodes: number;
  /** Finishes the episodes in flight. */
  drain(): Promise<void>;
}

/** Waits for the run. @throws {RunUnknownError} @throws the signal's reason. */
export async function openWorker(options: WorkerOfRunOptions, signal?: AbortSignal): Promise<WorkerOfRun> {
  const { url, run, blobs, name, concurrency, graceSeconds, waitSeconds, leaseSeconds, say } = options;
  // the client of Redis takes a while to load; other commands do not need it
  const { definitionToJson, FolderBlobs, parseDefinition, RedisWorker, readDefinition } = await loadQueue();
  const definition = await readDefinition(url, run, waitSeconds * 1000, signal);
  let current = openWorkerPlayer(definition, options);
  await current;
  let known = JSON.stringify(definitionToJson(definition));
  const players = [current];
  // a learner that was started again samples at another address
  const onRun = async ({ version, definition: text }: RunNow) => {
    if (text !== undefined && text !== known) {
      known = text;
      current = openWorkerPlayer(parseDefinition(text), options);
      players.push(current);
      // the next episode fails with it
      current.catch(() => {});
    }
    if (version !== undefined) (await current).onPolicy(version);
  };
  const player = {
    play: async (order: WorkOrder, abort?: AbortSignal) => (await current).player.play(order, abort),
    close: async () => {
      for (const each of await Promise.allSettled(players)) {
        if (each.status === 'fulfilled') await each.value.player.close?.();
      }
    },
  };
  const leaseMs = leaseSeconds * 1000;
  let episodes = 0;
  const worker = new RedisWorker({
    ...{ url, run, name, player, onRun, concurrency },
    blobs: new FolderBlobs(blobs),
    timing: { lockMs: leaseMs, stallMs: leaseMs / 2 },
    onEvent: (event) => {
      if (event.type === 'played') episodes += 1;
      else say(describe(event));
    },
  });
  return {
    environment: definition.env.id,
    get episodes() {
      return episodes;
    },
    drain: () => worker.drain(graceSeconds * 1000),
  };
}

function describe(event: Exclude<WorkerEvent, { type: 'played' }>): string {
  switch (event.type) {
    case 'failed':
      return `episode ${event.order} failed: ${event.problem}`;
    case 'lease-lost':
      return `lost the lease of ${event.orders.join(', ')}; others play them now`;
    case 'event-loop-late':
      return `the event loop was blocked for ${event.milliseconds} ms; leases will be lost`;
    case 'wrong-blobs':
      return `--blobs is not the learner's folder of trajectories, waiting: ${event.problem}`;
    case 'no-space':
      return `no space for trajectories, waiting: ${event.problem}`;
  }
}
