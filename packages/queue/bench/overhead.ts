/**
 * `npx tsx packages/queue/bench/overhead.ts --episodes N --slots N`: what queue and ledger cost per episode.
 *
 * Workers that only wait stand for environments and samplers: every episode takes a second of waiting and is the same
 * small trajectory, so what is measured is the transport. CPU-seconds of this process (orchestrator, ledger with one sync
 * per record, workers) and of Redis; elapsed time is not meaningful on a shared machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CountingEnv } from '@vlgym/core/testing';
import {
  type EpisodePlayer,
  LedgerFile,
  MemoryBlobs,
  MemoryQueue,
  Orchestrator,
  RedisQueue,
  RedisWorker,
  type RolloutQueue,
  SamplerPlayer,
} from '@vlgym/queue';
import { hasRedis, RedisServer } from '../test/redis-server.js';
import { config, WordSampler } from '../test/word-sampler.js';

const { values } = parseArgs({
  options: { episodes: { type: 'string', default: '10000' }, slots: { type: 'string', default: '1000' } },
});
const episodes = Number(values.episodes);
const slots = Number(values.slots);
const WAIT_MS = 1000;
/** Episodes that one worker on Redis plays at a time. */
const PER_WORKER = 50;
const plan = { run: 'overhead', seed: 1 } as const;
const say = (line: string) => process.stdout.write(`${line}\n`);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const sampled = new SamplerPlayer({
  makeEnv: () => new CountingEnv({ maxTarget: 3 }),
  sampler: new WordSampler(),
  config,
  runSeed: 1,
});
const episode = await sampled.play({ ...plan, order: 0, group: 0, index: 0, minVersion: 0, epoch: 1 });
const waiting: EpisodePlayer = {
  play: async () => {
    await sleep(WAIT_MS);
    return episode;
  },
};

async function measure(queue: RolloutQueue, folder: string): Promise<number> {
  const ledger = await LedgerFile.open(folder);
  const orchestrator = await Orchestrator.open({ queue, ledger, plan, maxOpen: slots, maxStaleness: 1 });
  // code is compiled and connections are made
  await orchestrator.take(slots);
  const start = cpuMs();
  for (let taken = 0; taken < episodes; taken += slots) await orchestrator.take(Math.min(slots, episodes - taken));
  const used = cpuMs() - start;
  await orchestrator.close();
  return used / episodes;
}

const folder = await mkdtemp(join(tmpdir(), 'vlgym-overhead-'));
const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
say(
  `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${episodes} episodes, ${slots} at a time, load ${load()}`,
);
try {
  const blobs = new MemoryBlobs();
  const local = await measure(new MemoryQueue({ player: waiting, blobs, concurrency: slots }), join(folder, 'local'));
  say(`queue of one process   ${local.toFixed(3)} ms of CPU per episode`);
  if (!hasRedis) say('redis-server is not installed: apt-get install redis-server');
  else {
    const server = await RedisServer.start();
    const { url } = server;
    const workers = Array.from(
      { length: Math.ceil(slots / PER_WORKER) },
      (_, index) =>
        new RedisWorker({ ...plan, url, name: `w${index}`, player: waiting, blobs, concurrency: PER_WORKER }),
    );
    const client = server.client();
    const redisCpu = async () => {
      const info = await client.info('cpu');
      const [user, system] = ['user', 'sys'].map((kind) =>
        Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(info)![1]),
      );
      return 1000 * (user! + system!);
    };
    const before = await redisCpu();
    const remote = await measure(new RedisQueue({ url, run: plan.run }), join(folder, 'redis'));
    const broker = ((await redisCpu()) - before) / (episodes + slots);
    say(`queue on Redis         ${remote.toFixed(3)} ms in Node (${workers.length} workers, orchestrator, ledger)`);
    say(`                       ${broker.toFixed(3)} ms in Redis`);
    say(
      `memory of Redis        ${((await server.memoryBytes()) / 1e6).toFixed(1)} MB after ${episodes + slots} episodes`,
    );
    client.disconnect();
    await Promise.all(workers.map((worker) => worker.drain(1000)));
    await server.stop();
  }
  say(`load at the end ${load()}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
