/**
 * The queue on a real Redis with real processes: tests 1 to 14 of the scaling plan. Workers are killed, stopped, blocked
 * and cut off; brokers are killed, emptied and filled. What must hold afterwards is the same everywhere: every order
 * counts once, and every trajectory that counts can be read.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingEnv } from '@vlgym/core/testing';
import {
  FolderBlobs,
  LedgerFile,
  type LedgerRecord,
  MemoryQueue,
  Orchestrator,
  type OrchestratorEvent,
  type OrchestratorOptions,
  planOf,
  RedisQueue,
  readLedger,
  SamplerPlayer,
} from '@vlgym/queue';
import { runsInProgress } from '@vlgym/queue/redis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisLedger } from '../src/redis/redis-ledger.js';
import { FreezingProxy } from './freezing-proxy.js';
import { hasRedis, RedisServer, reason } from './redis-server.js';
import { config, WordSampler } from './word-sampler.js';
import type { ChildOptions } from './worker-child.js';
import { WorkerProcess } from './workers.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const plan = { run: 'test', seed: 9 } as const;
const TIMING = { lockMs: 2000, stallMs: 1000, maxStalls: 3, reportMs: 500 } as const;
const LOCK_MS = TIMING.lockMs;

let folder: string;
let cleanups: (() => Promise<unknown> | unknown)[] = [];
const later = <T>(value: T, cleanup: (value: T) => Promise<unknown> | unknown): T => {
  cleanups.push(() => cleanup(value));
  return value;
};

beforeEach(async () => {
  cleanups = [];
  folder = await mkdtemp(join(tmpdir(), 'vlgym-queue-'));
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true, force: true });
});

const broker = async (args?: readonly string[]) => later(await RedisServer.start(args), (server) => server.stop());
const blobs = () => new FolderBlobs(join(folder, 'blobs'));

async function worker(url: string, name: string, options: Partial<ChildOptions> = {}): Promise<WorkerProcess> {
  const child = { url, run: plan.run, name, blobs: join(folder, 'blobs'), runSeed: plan.seed, timing: TIMING };
  return later(await WorkerProcess.start({ ...child, ...options }), (process) => process.kill());
}

async function orchestrate(url: string, options: Partial<OrchestratorOptions> = {}, termMs = 3000) {
  const events: OrchestratorEvent[] = [];
  const ledger = await LedgerFile.open(folder);
  const queue = new RedisQueue({ url, run: plan.run, backoffMs: 100, termMs });
  const onEvent = (event: OrchestratorEvent) => events.push(event);
  const settings = { queue, ledger, plan, reconcileMs: 1000, noProgressMs: 60_000, onEvent, ...options };
  const orchestrator = await Orchestrator.open(settings);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await orchestrator.close();
    isOpen = false;
  };
  cleanups.push(close);
  return { orchestrator, queue, events, ledger, close };
}

/** Claims that hold after every run: each order once, with the planned seed and a complete trajectory. */
async function expectComplete(records: readonly LedgerRecord[], count: number): Promise<void> {
  await expectPlayed(records, count);
  expect(await ledgerOrders()).toEqual(records.map(({ order }) => order));
}

async function expectPlayed(records: readonly LedgerRecord[], count: number): Promise<void> {
  const orders = Array.from({ length: count }, (_, order) => order);
  expect(records.map(({ order }) => order)).toEqual(orders);
  expect(records.map(({ seed }) => seed)).toEqual(orders.map((order) => planOf(plan)(order).seed));
  for (const { digest } of records) await blobs().get(digest!);
}

/** Orders in the file, sorted; an order that occurs twice is an error. */
async function ledgerOrders(): Promise<number[]> {
  return [...(await readLedger(join(folder, 'ledger.jsonl'))).keys()].sort((a, b) => a - b);
}

describe.skipIf(!hasRedis)(`the queue on Redis${reason}`, () => {
  it('1. 200 episodes with one of three workers killed every second: nothing lost, nothing twice', async () => {
    const { url } = await broker();
    const { orchestrator } = await orchestrate(url, { maxOpen: 12 });
    const options = { concurrency: 2, delayMs: 40, timing: { ...TIMING, maxStalls: 20 } };
    const workers = [0, 1, 2].map((index) => worker(url, `w${index}`, options));
    await Promise.all(workers);
    let kills = 0;
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const victim = kills++ % workers.length;
        await (await workers[victim]!).kill();
        workers[victim] = worker(url, `w${victim}-${kills}`, options);
        // however long a start takes, the second kill comes before the orders are played
        if (kills > 1) await workers[victim];
      }
      await Promise.all(workers);
    })();
    const records = await orchestrator.take(200);
    isOver = true;
    await killing;
    expect(kills).toBeGreaterThan(1);
    await expectComplete(records, 200);
    expect(orchestrator.counts).toMatchObject({ issued: 200, counted: 200, abandoned: 0, open: 0 });
  });

  it('2. a worker stopped for two leases wakes up after another finished: its episode is refused', async () => {
    const { url } = await broker();
    const { orchestrator, queue } = await orchestrate(url);
    const frozen = await worker(url, 'frozen', { concurrency: 3, linger: 0 });
    const taking = orchestrator.take(3);
    await frozen.told('played', 2); // the others; order 0 is still in flight
    frozen.signal('SIGSTOP');
    await worker(url, 'other');
    const records = await taking;
    frozen.signal('SIGCONT');
    const isRefused = () =>
      frozen.messages.some((message) => message.type === 'played' && message.verdict === 'duplicate') ||
      frozen.messages.some((message) => message.type === 'failed' && message.order === 0);
    while (!isRefused()) await frozen.toldAnything();
    await expectComplete(records, 3);
    expect(records[0]!.worker).toBe('other');
    expect(records[0]!.attempt).toBeGreaterThan(1);
    expect((await queue.status()).pending).toBe(0);
  });

  it('3. a worker that blocks its event loop for three leases raises an alarm; the episode counts once', async () => {
    const { url } = await broker();
    const { orchestrator } = await orchestrate(url);
    const block = { order: 1, milliseconds: 3 * LOCK_MS };
    const blocked = await worker(url, 'blocked', { block });
    const taking = orchestrator.take(6);
    await blocked.told('blocking');
    await worker(url, 'free');
    const records = await taking;
    await blocked.told('event-loop-late');
    await expectComplete(records, 6);
  });

  it('4. a broker that hangs for two leases: orders are redelivered, and count once', async () => {
    const { url } = await broker(['--appendonly', 'yes', '--enable-debug-command', 'local']);
    const { orchestrator } = await orchestrate(url);
    await worker(url, 'a', { delayMs: 100 });
    const taking = orchestrator.take(20);
    const client = later(new (await import('ioredis')).Redis(url), (redis) => redis.disconnect());
    await client.call('DEBUG', 'SLEEP', '4');
    await expectComplete(await taking, 20);
  });

  it('5. a broker killed and started again with its file: the run finishes, no order is lost', async () => {
    // what Redis has answered is in its file: with `everysec`, not while the disk is busy
    const server = await broker(['--appendonly', 'yes', '--appendfsync', 'always']);
    const { orchestrator } = await orchestrate(server.url);
    const player = await worker(server.url, 'a', { delayMs: 60, concurrency: 2, linger: 10 });
    const taking = orchestrator.take(30);
    await player.told('played', 5);
    await server.kill();
    await server.start();
    player.signal('SIGCONT');
    await expectComplete(await taking, 30);
    expect(orchestrator.counts.forgotten).toBe(0);
  });

  it('5. a broker emptied: the loss is told, what the ledger lacks is issued again, the run finishes', async () => {
    const server = await broker(['--appendonly', 'no']);
    const { orchestrator, events } = await orchestrate(server.url);
    const player = await worker(server.url, 'a', { delayMs: 60, concurrency: 2, linger: 10 });
    const taking = orchestrator.take(30);
    await player.told('played', 5);
    await server.kill();
    await server.start();
    player.signal('SIGCONT');
    await expectComplete(await taking, 30);
    expect(events.map(({ type }) => type)).toContain('QUEUE_FORGOT');
    expect(orchestrator.counts.forgotten).toBeGreaterThan(0);
  });

  it('5. an order that is committed while the orchestrator looks after it is not taken for forgotten', async () => {
    const { url } = await broker();
    const queue = later(new RedisQueue({ url, run: plan.run }), (open) => open.close());
    await queue.lead();
    await queue.add([{ ...planOf(plan)(0), minVersion: 0, epoch: 1 }]);
    const textOf = vi.spyOn(RedisLedger.prototype, 'textOf').mockImplementationOnce(async () => {
      await worker(url, 'a');
      for (let left = 1; left > 0; ) {
        const { waiting, active } = await queue.status();
        left = waiting + active;
      }
      return null; // as it was when it was asked
    });
    expect(await queue.inspect([0])).toEqual(new Map([[0, { state: 'committed' }]]));
    textOf.mockRestore();
  });

  it('6. a worker cut off by the network for two leases continues afterwards; the episode counts once', async () => {
    const server = await broker();
    const proxy = later(await FreezingProxy.start(server.port), (open) => open.close());
    const { orchestrator } = await orchestrate(server.url);
    const cut = await worker(proxy.url, 'cut', { delayMs: 200 });
    const taking = orchestrator.take(8);
    await cut.told('played');
    proxy.freeze();
    const whole = await worker(server.url, 'whole');
    await expectComplete(await taking, 8);
    await whole.kill();
    proxy.thaw();
    const more = await orchestrator.take(4);
    expect(more.map(({ order, worker: by }) => [order, by])).toEqual([8, 9, 10, 11].map((order) => [order, 'cut']));
  });

  it('7. an episode that kills its workers is abandoned by its seed; the others complete', async () => {
    const { url } = await broker();
    const { orchestrator, events } = await orchestrate(url);
    const poisonSeed = planOf(plan)(3).seed;
    const options = { poisonSeed, timing: { ...TIMING, maxStalls: 1 } };
    let isOver = false;
    const taking = orchestrator.take(8).finally(() => {
      isOver = true;
    });
    const keepingAlive = (async () => {
      for (let life = 0; !isOver; life++) {
        const alive = await worker(url, `w${life}`, options);
        await Promise.race([alive.ended(), taking]);
      }
    })();
    const records = await taking;
    await keepingAlive;
    expect(records.map(({ outcome }) => outcome)).toEqual(
      records.map(({ order }) => (order === 3 ? 'abandoned' : 'ok')),
    );
    expect(records[3]!.reason).toContain('stalled');
    const told = events.filter(({ type }) => type === 'ABANDONED');
    expect(told).toEqual([{ type: 'ABANDONED', record: expect.objectContaining({ seed: poisonSeed, order: 3 }) }]);
  });

  it('8. a broker without memory refuses orders: a clear error within its limit, and the run continues later', async () => {
    const { url } = await broker(['--appendonly', 'yes', '--maxmemory', '1gb']);
    const client = later(new (await import('ioredis')).Redis(url), (redis) => redis.disconnect());
    const first = await orchestrate(url, { refusalMs: 2000 });
    await worker(url, 'a');
    await expectComplete(await first.orchestrator.take(3), 3);
    await client.config('SET', 'maxmemory', '1');
    await expect(first.orchestrator.take(3)).rejects.toMatchObject({
      code: 'QUEUE_UNAVAILABLE',
      message: expect.stringContaining('OOM'),
    });
    await client.config('SET', 'maxmemory', '1gb');
    await first.close();
    const second = await orchestrate(url);
    await expectComplete(await second.orchestrator.take(6), 6);
  });

  const canMount = spawnSync('mount', ['--version']).status === 0 && process.getuid?.() === 0;
  const small = async (size: string) => {
    const path = join(folder, 'small');
    await mkdir(path, { recursive: true });
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
    if (status === 0) cleanups.push(() => spawnSync('umount', ['-l', path]));
    return status === 0 ? path : undefined;
  };

  it.skipIf(!canMount).for(['everysec', 'always'])(
    `8. a full disk under the broker's file (appendfsync %s): an error within its limit, and the run continues with space${canMount ? '' : ' (skipped: needs root to mount a small file system)'}`,
    async (policy, context) => {
      const path = await small('1m');
      if (path === undefined) return context.skip('mounting a small file system is not allowed here');
      const args = ['--appendonly', 'yes', '--appendfsync', policy];
      const server = later(await RedisServer.start(args, { folder: path }), (started) => started.stop());
      const first = await orchestrate(server.url, { refusalMs: 2000, silenceMs: 2000 });
      await worker(server.url, 'a');
      await expectComplete(await first.orchestrator.take(3), 3);
      const filler = join(path, 'filler');
      // the last pages are taken byte by byte, until nothing fits
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1024'], { stdio: 'ignore' });
      const [start, usage] = [performance.now(), process.cpuUsage()];
      await expect(first.orchestrator.take(100)).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' });
      const { user, system } = process.cpuUsage(usage);
      // it waits between its tries
      expect((user + system) / 1000).toBeLessThan((performance.now() - start) / 2);
      // with `always` Redis ends itself where it cannot write
      if (policy === 'always') await server.ended();
      expect(server.isRunning).toBe(policy === 'everysec');
      await rm(filler);
      if (!server.isRunning) await server.start();
      await first.close();
      const second = await orchestrate(server.url);
      await expectPlayed(await second.orchestrator.take(12), 12);
      await second.close();
      // more orders of the first may have been in the queue: those count too
      expect((await ledgerOrders()).slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, order) => order));
    },
  );

  it.skipIf(!canMount)(
    `9. a full blob folder: nothing is committed without its trajectory${canMount ? '' : ' (skipped: needs root to mount a small file system)'}`,
    async (context) => {
      const path = await small('64k');
      if (path === undefined) return context.skip('mounting a small file system is not allowed here');
      const { url } = await broker();
      const full = await worker(url, 'full', { blobs: path });
      const first = await orchestrate(url);
      await first.orchestrator.take(1);
      await first.close();
      const { orchestrator, ledger } = await orchestrate(url, { noProgressMs: 6000 });
      const error = await orchestrator.take(200).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'NO_PROGRESS' });
      await full.told('no-space');
      const store = new FolderBlobs(path);
      const counted = ledger.records().filter(({ digest }) => digest !== null);
      expect(counted.length).toBeGreaterThan(0);
      for (const { digest } of counted) await store.get(digest!);
    },
  );

  it('10. of two orchestrators one leads; the second takes over when the first is gone', async () => {
    const { url } = await broker();
    const { close } = await orchestrate(url, {}, 60_000);
    const second = new RedisQueue({ url, run: plan.run });
    cleanups.push(() => second.close());
    await expect(second.lead()).rejects.toMatchObject({ code: 'RUN_HAS_LEADER' });
    await close();
    expect(await second.lead()).toBe(2);
  });

  it('10. an orchestrator that was cut off for longer than its term has no say any more', async () => {
    const { url } = await broker();
    const { orchestrator, queue } = await orchestrate(url);
    await worker(url, 'a');
    await orchestrator.take(2);
    const client = later(new (await import('ioredis')).Redis(url), (redis) => redis.disconnect());
    await client.set('{vlgym-test}:leader', 'another-1');
    await expect(queue.acknowledge([])).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
    await expect(orchestrator.take(2)).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
  });

  it('10. a separate ledger starts from the beginning under a name that another run has used', async () => {
    const { url } = await broker();
    await worker(url, 'a');
    const complete = async (home: string) => {
      const ledger = await LedgerFile.open(join(folder, home));
      const queue = new RedisQueue({ url, run: plan.run, owner: ledger.id, termMs: 3000 });
      const orchestrator = await Orchestrator.open({ queue, ledger, plan, noProgressMs: 60_000 });
      const records = await orchestrator.take(3);
      await orchestrator.finish();
      await orchestrator.close();
      return records.map(({ order, digest }) => [order, digest]);
    };
    const first = await complete('first');
    expect(await runsInProgress(url)).toEqual([]);
    expect(await complete('second')).toEqual(first);
  });

  it('11. told to end, a worker finishes its order and exits with 0', async () => {
    const { url } = await broker();
    const { orchestrator } = await orchestrate(url);
    const first = await worker(url, 'draining', { linger: 0 });
    const taking = orchestrator.take(2);
    while ((await orchestrator.status()).active === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    first.signal('SIGTERM');
    await first.told('draining');
    first.signal('SIGCONT');
    expect(await first.ended()).toBe(0);
    expect(first.messages.filter(({ type }) => type === 'played').length).toBeGreaterThan(0);
    await worker(url, 'next');
    await expectComplete(await taking, 2);
  });

  it('11. told to end twice, a worker ends at once with 143, and its order is played elsewhere', async () => {
    const { url } = await broker();
    const { orchestrator } = await orchestrate(url);
    const first = await worker(url, 'stubborn', { linger: 0 });
    const taking = orchestrator.take(1);
    while ((await orchestrator.status()).active === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    first.signal('SIGTERM');
    await first.told('draining');
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(143);
    await worker(url, 'next');
    await expectComplete(await taking, 1);
  });

  it('12. gives the same orders, seeds and digests as the queue in this process', async () => {
    const { url } = await broker();
    const { orchestrator } = await orchestrate(url);
    await Promise.all(['a', 'b'].map((name) => worker(url, name, { concurrency: 2 })));
    const essence = ({ order, seed, digest, outcome }: LedgerRecord) => ({ order, seed, digest, outcome });
    const remote = (await orchestrator.take(25)).map(essence);
    const makeEnv = () => new CountingEnv({ maxTarget: 3 });
    const player = new SamplerPlayer({ makeEnv, sampler: new WordSampler(), config, runSeed: plan.seed });
    const queue = new MemoryQueue({ player, blobs: new FolderBlobs(join(folder, 'local/blobs')) });
    const ledger = await LedgerFile.open(join(folder, 'local'));
    const local = later(await Orchestrator.open({ queue, ledger, plan }), (open) => open.close());
    expect((await local.take(25)).map(essence)).toEqual(remote);
  });

  it('14. keeps as much in Redis after 2,000 episodes as after 500, and less than 8 MB', async () => {
    // what waits to be written to a busy disk is memory, too
    const server = await broker(['--appendonly', 'no']);
    const { orchestrator } = await orchestrate(server.url, { maxOpen: 512 });
    await worker(server.url, 'a', { concurrency: 64 });
    await orchestrator.take(500);
    const before = await server.memoryBytes();
    for (let batch = 0; batch < 3; batch++) await orchestrator.take(500);
    const after = await server.memoryBytes();
    expect(after).toBeLessThan(8e6);
    expect(after - before).toBeLessThan(1e6);
    expect(orchestrator.counts).toMatchObject({ counted: 2000, abandoned: 0, open: 0 });
  });

  it('shows who works on what', async () => {
    const { url } = await broker();
    const { orchestrator } = await orchestrate(url);
    const player = await worker(url, 'a', { delayMs: 30, concurrency: 2, linger: 5 });
    const taking = orchestrator.take(10);
    await player.told('played', 3);
    while (!orchestrator.waiting) await new Promise((resolve) => setImmediate(resolve));
    expect(orchestrator.waiting).toMatchObject({ whom: 'workers' });
    const [report] = (await orchestrator.status()).workers;
    expect(report).toMatchObject({ name: 'a', concurrency: 2, state: 'working' });
    player.signal('SIGCONT');
    await taking;
    expect(orchestrator.waiting).toBeUndefined();
  });
});
