/**
 * `hostile-child.ts <url> <seed> <folder>`: a learner and a worker on one Redis, and a stranger who writes to all keys of the
 * run. Prints what was counted as one line of JSON.
 */
import { join } from 'node:path';
import { Generator, GymError } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import {
  FolderBlobs,
  LedgerFile,
  type LedgerRecord,
  Orchestrator,
  type OrchestratorEvent,
  planOf,
  RedisQueue,
  RedisWorker,
  readTaken,
  SamplerPlayer,
} from '@vlgym/queue';
import { Redis } from 'ioredis';
import { keysOf } from '../src/redis/keys.js';
import { config, WordSampler } from '../test/word-sampler.js';
import { strangersWrite } from './strangers-write.js';

const [url, seed, folder] = process.argv.slice(2) as [string, string, string];
const ORDERS = 10;
const plan = { run: 'hostile', seed: Number(seed) } as const;
const rng = new Generator(Number(seed));
const redis = new Redis(url);
const blobs = new FolderBlobs(join(folder, 'blobs'));
const events: OrchestratorEvent[] = [];
const codes: string[] = [];
const keys = keysOf(plan.run);
const written: string[] = [];

const attack = async () => {
  const { name, write } = strangersWrite(rng, { keys, run: plan.run, orders: ORDERS, plan: planOf(plan) });
  written.push(name);
  await write(redis).catch((error) => written.push(`  ${error}`));
};

const player = new SamplerPlayer({
  makeEnv: () => new CountingEnv({ maxTarget: 3 }),
  sampler: new WordSampler(),
  config,
  runSeed: plan.seed,
});
/** A term that a stranger wrote ends by itself. */
async function open(): Promise<Orchestrator> {
  const ledger = await LedgerFile.open(folder);
  for (;;) {
    const queue = new RedisQueue({ url, run: plan.run, blobs, backoffMs: 100, termMs: 1500, attempts: 3 });
    try {
      return await Orchestrator.open({
        ...{ queue, ledger, blobs, plan, reconcileMs: 300 },
        ...{ noProgressMs: 40_000, silenceMs: 20_000 },
        onEvent: (event) => events.push(event),
      });
    } catch (error) {
      await queue.close();
      if ((error as { code?: unknown }).code !== 'RUN_HAS_LEADER') throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

let orchestrator = await open();
for (let n = rng.integers(0, 4); n > 0; n -= 1) await attack();
let left = rng.integers(1, 5);
const worker = new RedisWorker({
  ...{ url, run: plan.run, name: 'good', player, blobs, concurrency: 2 },
  timing: { lockMs: 1500, stallMs: 700, maxStalls: 20, reportMs: 300 },
  onPoint: async () => {
    if (left <= 0 || rng.random() < 0.7) return;
    left -= 1;
    await attack();
  },
});

let records: LedgerRecord[] = [];
const seen: string[] = [];
// a stranger can end a term; the same command continues
for (let life = 0; records.length === 0; life += 1) {
  try {
    const taken = await orchestrator.take(ORDERS);
    for (const record of taken) {
      const place = { id: `order-${record.order}`, environment: 0 };
      const { episode, record: counted } = await readTaken(record, { orchestrator, blobs, place });
      seen.push(episode ? `${counted.order} ${counted.seed} ${counted.digest}` : `${counted.order} ${counted.reason}`);
    }
    records = taken;
  } catch (error) {
    codes.push(GymError.isInstance(error) ? error.code : String((error as Error).stack));
    if (life === 5 || !codes.every((code) => code === 'LEADERSHIP_LOST')) break;
    seen.length = 0;
    await orchestrator.close();
    orchestrator = await open();
  }
}
const { refused, unreadable, counted } = orchestrator.counts;
const mended = events.flatMap((event) => (event.type === 'MENDED' ? event.problems : []));
process.stdout.write(`${JSON.stringify({ seen, codes, written, refused, unreadable, counted, mended })}\n`);
await worker.drain(1000);
await orchestrator.close();
process.exit(0);
