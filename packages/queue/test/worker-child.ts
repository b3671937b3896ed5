/** A worker process to be killed, stopped and cut off; `workers.ts` bundles and starts it with its `ChildOptions` as JSON. */
import { once } from 'node:events';
import { make } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import { type FaultPoint, FolderBlobs, RedisWorker, SamplerPlayer, type WorkOrder } from '@vlgym/queue';
import type { WorkerTiming } from '@vlgym/queue/redis';
import { config, WordSampler } from './word-sampler.js';

export interface ChildOptions {
  readonly url: string;
  readonly run: string;
  readonly name: string;
  readonly blobs: string;
  readonly runSeed: number;
  readonly timing: WorkerTiming;
  readonly concurrency?: number;
  /** Id of a card game; default a counter. */
  readonly game?: string;
  /** Milliseconds per response. */
  readonly delayMs?: number;
  /** Ends the process at this seed. */
  readonly poisonSeed?: number;
  /** Blocks the event loop for so long at this order, once per process, and says so before. */
  readonly block?: { readonly order: number; readonly milliseconds: number };
  /** Waits at this order until SIGCONT, after the episode was played and before anything is stored; once per process. */
  readonly linger?: number;
  /** Milliseconds of grace when asked to end. */
  readonly graceMs?: number;
}

const options = JSON.parse(process.argv[2]!) as ChildOptions;
const { url, run, name, blobs, runSeed, timing, concurrency = 1, delayMs = 0, graceMs = 30_000 } = options;
const done = new Set<string>();
const toldToGoOn = once(process, 'SIGCONT');

function blockLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) Math.sqrt(end);
}

async function onPoint(point: FaultPoint, { order, seed }: WorkOrder): Promise<void> {
  const isFirst = (what: string) => !done.has(what) && done.add(what);
  if (point === 'checked' && seed === options.poisonSeed) process.exit(1);
  if (point === 'checked' && order === options.block?.order && isFirst('block')) {
    await new Promise((resolve) => process.send!({ type: 'blocking' }, resolve));
    blockLoop(options.block.milliseconds);
  }
  if (point === 'played' && order === options.linger && isFirst('linger')) await toldToGoOn;
}

const { game } = options;
if (game !== undefined) await import('@vlgym/points24');
const makeEnv = () => (game === undefined ? new CountingEnv({ maxTarget: 3 }) : make(game));
const player = new SamplerPlayer({ makeEnv, sampler: new WordSampler(delayMs), config, runSeed });
const tell = (message: object) => process.send?.(message);
const store = new FolderBlobs(blobs);
const worker = new RedisWorker({ url, run, name, player, blobs: store, concurrency, timing, onPoint, onEvent: tell });
tell({ type: 'started' });

let isEnding = false;
process.on('SIGTERM', () => {
  if (isEnding) process.exit(143);
  isEnding = true;
  tell({ type: 'draining' });
  void worker.drain(graceMs).then(() => process.exit(0));
});
