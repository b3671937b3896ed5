/** Strangers' entries in the stream of a run, and workers that store trajectories where the learner does not look. */
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderBlobs, LedgerFile, Orchestrator, type OrchestratorEvent, planOf, RedisQueue } from '@vlgym/queue';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keysOf } from '../src/redis/keys.js';
import { hasRedis, RedisServer, reason } from './redis-server.js';
import { WorkerProcess } from './workers.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const plan = { run: 'test', seed: 9 } as const;
let folder: string;
let cleanups: (() => Promise<unknown> | unknown)[] = [];
const later = <T>(value: T, cleanup: (value: T) => Promise<unknown> | unknown): T => {
  cleanups.push(() => cleanup(value));
  return value;
};

beforeEach(async () => {
  cleanups = [];
  folder = await mkdtemp(join(tmpdir(), 'vlgym-refusals-'));
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true, force: true });
});

async function setUp() {
  const { url } = later(await RedisServer.start(), (server) => server.stop());
  return { url, ...(await openRun(url)) };
}

async function openRun(url: string) {
  const events: OrchestratorEvent[] = [];
  const blobs = new FolderBlobs(join(folder, 'blobs'));
  const queue = new RedisQueue({ url, run: plan.run, blobs, backoffMs: 100, termMs: 3000 });
  const orchestrator = later(
    await Orchestrator.open({
      ...{ queue, blobs, plan, reconcileMs: 1000, noProgressMs: 60_000 },
      ledger: await LedgerFile.open(folder),
      onEvent: (event) => events.push(event),
    }),
    (open) => open.close(),
  );
  const worker = async (name: string, place: string) => {
    const timing = { lockMs: 2000, stallMs: 1000, maxStalls: 3, reportMs: 500 };
    const child = { url, run: plan.run, name, blobs: join(folder, place), runSeed: plan.seed, timing };
    return later(await WorkerProcess.start(child), (process) => process.kill());
  };
  return { events, blobs, orchestrator, worker };
}

describe.runIf(hasRedis)(`a run on Redis${reason}`, () => {
  it('is not stopped by entries that are no records, and plays what they claim', async () => {
    const { url, events, orchestrator, worker } = await setUp();
    const redis = later(new Redis(url), (open) => open.disconnect());
    const { out, ledger } = keysOf(plan.run);
    const { seed, group, index } = planOf(plan)(1);
    const almost = JSON.stringify({ order: 1, seed, group, index, outcome: 'ok', from: 'another version' });
    const entries = ['not JSON', '{}', '[]', 'null', '{"order":"1"}', '{"order":1e300}', almost, '\u0000'.repeat(100)];
    for (const entry of entries) await redis.xadd(out, '*', 'record', entry);
    await redis.xadd(out, '*', 'other', 'fields', 'and', 'more');
    // as a worker of another version would have committed it
    await redis.hset(ledger, '1', almost);
    await worker('good', 'blobs');
    const records = await orchestrator.take(4);
    expect(records.map(({ worker }) => worker)).toEqual(['good', 'good', 'good', 'good']);
    expect(events.filter(({ type }) => type === 'REFUSED')).toHaveLength(entries.length + 1);
    expect(await redis.xlen(out)).toBe(0);
  });

  it('issues again, elsewhere, what the ledger of a resumed run counts and nobody can read any more', async () => {
    const { url, orchestrator, worker, blobs } = await setUp();
    const first = await worker('first', 'blobs');
    const records = await orchestrator.take(4);
    await first.kill();
    await orchestrator.close();
    await rename(blobs.folder, join(folder, 'gone'));
    const again = await openRun(url);
    await again.worker('second', 'blobs');
    const found = await again.orchestrator.take(4);
    expect(found.map((record) => [record.order, record.seed, record.worker])).toEqual(
      records.map(({ order, seed }) => [order, seed, 'second']),
    );
    for (const { digest } of found) await again.blobs.get(digest!);
    expect(again.events).toContainEqual({
      type: 'BLOB_MISSING',
      orders: [0, 1, 2, 3],
      problem: expect.stringContaining('issued again'),
    });
    expect(again.orchestrator.counts).toMatchObject({ counted: 4, open: 0, duplicates: 0 });
  });

  it('plays elsewhere what a worker with the wrong folder of trajectories would lose', async () => {
    const { orchestrator, worker, blobs } = await setUp();
    const lost = await worker('lost', 'elsewhere');
    const taking = orchestrator.take(8);
    await lost.told('wrong-blobs');
    await worker('good', 'blobs');
    const records = await taking;
    expect(records.map((record) => [record.worker, record.outcome])).toEqual(
      records.map(() => ['good', expect.stringMatching(/^(ok|truncated)$/)]),
    );
    for (const { digest } of records) await blobs.get(digest!);
    const { workers } = await orchestrator.status();
    expect(workers.find(({ name }) => name === 'lost')?.state).toBe('wrong-blobs');
    expect(lost.messages.filter(({ type }) => type === 'played')).toEqual([]);
  });
});
