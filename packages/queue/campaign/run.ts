/**
 * `npm run campaign:queue -- --episodes N --workers N --seed S`: a run on Redis under attack.
 *
 * While the workers play, they are killed at random and started again, the broker is killed and started again from its
 * file, some workers sit behind a proxy that freezes, and the orchestrator is killed. Afterwards the ledger must contain
 * every order once, with a trajectory that can be read. The exit code is 0 only if nothing was lost and nothing counted
 * twice.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Generator } from '@vlgym/core';
import { FolderBlobs, ledgerRecordSchema, planOf, RedisQueue } from '@vlgym/queue';
import { FreezingProxy } from '../test/freezing-proxy.js';
import { hasRedis, RedisServer } from '../test/redis-server.js';
import { WorkerProcess } from '../test/workers.js';
import type { OrchestratorChildOptions } from './orchestrator-child.js';

const RUN = 'campaign';
const TIMING = { lockMs: 3000, stallMs: 1500, maxStalls: 50, reportMs: 1000 } as const;
const FREEZE_MS = 2 * TIMING.lockMs;

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const episodes = Number(values.episodes);
const size = Number(values.workers);
const seed = Number(values.seed);
const random = new Generator(seed);
const say = (line: string) => process.stdout.write(`${line}\n`);
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

interface Attacks {
  workerKills: number;
  workerStops: number;
  brokerKills: number;
  partitions: number;
  orchestratorKills: number;
}

async function main(): Promise<number> {
  if (!hasRedis) {
    say('redis-server is not installed: apt-get install redis-server');
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-campaign-'));
  const server = await RedisServer.start();
  const proxy = await FreezingProxy.start(server.port);
  const attacks: Attacks = { workerKills: 0, workerStops: 0, brokerKills: 0, partitions: 0, orchestratorKills: 0 };
  const start = performance.now();
  const workers: WorkerProcess[] = [];
  let lives = 0;
  const hire = (index: number) =>
    WorkerProcess.start({
      // half of them sit behind the proxy
      url: index % 2 === 0 ? server.url : proxy.url,
      run: RUN,
      name: `w${index}-${lives++}`,
      blobs: join(folder, 'blobs'),
      runSeed: seed,
      timing: TIMING,
      concurrency: 8,
      delayMs: 10,
    });
  for (let index = 0; index < size; index++) workers.push(await hire(index));
  let orchestrator = lead({ url: server.url, run: RUN, folder, seed, episodes });
  const busy = new Map<number, Promise<void>>();
  let attackedAt = 0;
  try {
    for (;;) {
      if (orchestrator.exitCode === 0) break;
      if (orchestrator.exitCode !== null || orchestrator.signalCode !== null) {
        orchestrator = lead({ url: server.url, run: RUN, folder, seed, episodes });
      }
      await sleep(300 + random.integers(0, 600));
      if (orchestrator.exitCode === 0) break;
      // on a busy machine processes start slower than they are killed: an attack needs something that it can harm
      const bytes = await ledgerBytes(folder);
      if (bytes === attackedAt) continue;
      attackedAt = bytes;
      const draw = random.random();
      const index = random.integers(0, size);
      if (draw < 0.6) {
        if (busy.has(index)) continue;
        attacks.workerKills += 1;
        await workers[index]!.kill();
        const restart = hire(index).then((worker) => {
          workers[index] = worker;
          busy.delete(index);
        });
        busy.set(index, restart);
      } else if (draw < 0.72) {
        if (busy.has(index)) continue;
        attacks.workerStops += 1;
        const victim = workers[index]!;
        victim.signal('SIGSTOP');
        void sleep(FREEZE_MS).then(() => victim.signal('SIGCONT'));
      } else if (draw < 0.85) {
        attacks.brokerKills += 1;
        await server.kill();
        await sleep(200);
        await server.start();
      } else if (draw < 0.95) {
        attacks.partitions += 1;
        proxy.freeze();
        void sleep(FREEZE_MS).then(() => proxy.thaw());
      } else {
        attacks.orchestratorKills += 1;
        orchestrator.kill('SIGKILL');
        await new Promise((end) => orchestrator.once('exit', end));
      }
    }
    await Promise.all(busy.values());
    const seconds = (performance.now() - start) / 1000;
    const queue = new RedisQueue({ url: server.url, run: RUN });
    const { duplicates } = await queue.status();
    await queue.close();
    const memory = await server.memoryBytes();
    const found = await audit(folder);
    const report = {
      episodes,
      seed,
      seconds: Math.round(seconds),
      ...attacks,
      duplicatesRefused: duplicates,
      ...found,
      redisMegabytes: Number((memory / 1e6).toFixed(1)),
    };
    for (const [name, value] of Object.entries(report)) say(`${name.padEnd(20)} ${value}`);
    await writeFile(join(tmpdir(), 'vlgym-campaign-queue.json'), JSON.stringify(report));
    return found.lost === 0 && found.doubleCounted === 0 ? 0 : 1;
  } finally {
    orchestrator.kill('SIGKILL');
    proxy.thaw();
    for (const worker of workers) worker.signal('SIGCONT');
    await Promise.all(workers.map((worker) => worker.kill()));
    await proxy.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function lead(options: OrchestratorChildOptions): ChildProcess {
  const script = fileURLToPath(new URL('./orchestrator-child.ts', import.meta.url));
  return fork(script, [JSON.stringify(options)], {
    execArgv: ['--import', tsx],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

const ledgerBytes = (folder: string): Promise<number> =>
  stat(join(folder, 'ledger.jsonl')).then(
    ({ size }) => size,
    () => 0,
  );

/** Reads the ledger with nothing but its lines, and every trajectory that it names. */
async function audit(folder: string) {
  const lines = (await readFile(join(folder, 'ledger.jsonl'), 'utf8')).trimEnd().split('\n');
  const records = lines.map((line) => ledgerRecordSchema.parse(JSON.parse(line)));
  const counts = new Map<number, number>();
  for (const { order } of records) counts.set(order, (counts.get(order) ?? 0) + 1);
  const plan = planOf({ run: RUN, seed });
  const blobs = new FolderBlobs(join(folder, 'blobs'));
  let lost = 0;
  let damaged = 0;
  for (let order = 0; order < episodes; order++) if (!counts.has(order)) lost += 1;
  for (const record of records) {
    if (record.seed !== plan(record.order).seed) damaged += 1;
    if (record.digest !== null) await blobs.get(record.digest).catch(() => (damaged += 1));
  }
  return {
    counted: records.length,
    abandoned: records.filter(({ digest }) => digest === null).length,
    redelivered: records.filter(({ attempt }) => attempt > 1).length,
    lost: lost + damaged,
    doubleCounted: [...counts.values()].filter((count) => count > 1).length,
  };
}

process.exitCode = await main();
