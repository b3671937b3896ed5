/**
 * `npx tsx packages/queue/bench/workers.ts --episodes N --rounds N`: episodes of Points24 per second with one worker process
 * on this machine, and with as many as it has cores, in turns.
 *
 * A response takes 100 ms, as from a serving engine on another machine; each worker plays eight episodes at a time, with
 * their pictures. Perfect scaling is the number of workers.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MemoryLedger, Orchestrator, RedisQueue } from '@vlgym/queue';
import { RedisServer } from '../test/redis-server.js';
import { WorkerProcess } from '../test/workers.js';

const { values } = parseArgs({
  options: { episodes: { type: 'string', default: '400' }, rounds: { type: 'string', default: '3' } },
});
const episodes = Number(values.episodes);
const cores = availableParallelism();
const timing = { lockMs: 30_000, stallMs: 15_000, maxStalls: 3, reportMs: 5000 };
const say = (line: string) => process.stdout.write(`${line}\n`);
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
const folder = await mkdtemp(join(tmpdir(), 'vlgym-workers-'));
const server = await RedisServer.start();

async function episodesPerSecond(count: number, round: number): Promise<number> {
  const run = `workers-${count}-${round}`;
  const child = { url: server.url, run, blobs: join(folder, run), runSeed: 1, timing, concurrency: 8, delayMs: 100 };
  const workers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      WorkerProcess.start({ ...child, name: `w${index}`, game: 'vlgym/Points24-v1' }),
    ),
  );
  const queue = new RedisQueue({ url: server.url, run });
  const orchestrator = await Orchestrator.open({
    queue,
    ledger: new MemoryLedger(),
    plan: { run, seed: 1 },
    maxOpen: 64,
  });
  await orchestrator.take(40); // code is compiled and connections are made
  const start = performance.now();
  await orchestrator.take(episodes * count);
  const seconds = (performance.now() - start) / 1000;
  await orchestrator.close();
  await queue.close();
  await Promise.all(workers.map((worker) => worker.kill()));
  return (episodes * count) / seconds;
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
say(`${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cores} cores, load ${loadavg()[0]!.toFixed(1)}`);
try {
  const rates = new Map<number, number[]>([1, cores].map((count) => [count, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [count, list] of rates) list.push(await episodesPerSecond(count, round));
  }
  const one = median(rates.get(1)!);
  for (const [count, list] of rates) {
    say(
      `${count} workers: ${median(list).toFixed(1)} episodes per second, ${(median(list) / one).toFixed(2)} × one worker`,
    );
  }
  say(`load at the end ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
