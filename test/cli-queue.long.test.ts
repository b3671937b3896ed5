/**
 * Rollouts and training through Redis as a person starts them: workers, a run, the same result as in one process
 * (Debian's redis-server; skipped visibly without it).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis, RedisServer, reason } from '../packages/queue/test/redis-server.js';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let home = '';
let server: RedisServer;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-cli-queue-'));
  if (hasRedis) server = await RedisServer.start();
});
afterAll(async () => {
  await server?.stop();
  await rm(home, { recursive: true, force: true });
});

/** A worker that is told to end when `work` has ended. */
async function withWorker<T>(words: readonly string[], work: () => Promise<T>) {
  const output: string[] = [];
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'apps/cli/bin/vlgym.js'), 'worker', ...words], {
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  });
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => output.push(String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    const result = await work();
    child.kill('SIGTERM');
    return { result, code: await ended, output: output.join('') };
  } finally {
    child.kill('SIGKILL');
  }
}

const digests = async (folder: string) =>
  (await readFile(join(folder, 'ledger.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { order: number; seed: number; digest: string })
    .sort((a, b) => a.order - b.order)
    .map(({ order, seed, digest }) => [order, seed, digest]);

/** Metrics of every update but for those that are measured. */
async function metrics(folder: string): Promise<{ update: number; metrics: Record<string, number> }[]> {
  const lines = (await readFile(join(folder, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  const isMeasured = (key: string) => key.startsWith('time/') || key.startsWith('queue/');
  return lines.map((line) => JSON.parse(line, (key, value: unknown) => (isMeasured(key) ? undefined : value)));
}

const SMALL = '--num-envs 2 --steps-per-update 8 --evaluation-episodes 2 --warm-start-examples 64 --threads 1'.split(
  ' ',
);
const train = (folder: string, ...more: string[]) => [
  ...['train', 'vl-dac', ...SMALL, '--updates', '2', '--set', 'value.warmupUpdates=0', '--folder', join(home, folder)],
  ...more,
];

describe.skipIf(!hasRedis)(`through Redis${reason}`, () => {
  it('a rollout on a worker gives the trajectories of one in this process', async () => {
    const rollout = ['rollout', 'vlgym/NumberLine-v1', '--agent', 'random', '--episodes', '12'];
    const here = await vlgym([...rollout, '--out', join(home, 'here')]);
    expect(here.code, here.stderr).toBe(0);
    const redis = ['--redis', server.url, '--run', 'rollout'];
    const words = [...redis, '--blobs', join(home, 'there', 'blobs'), '--concurrency', '4'];
    const { result, code, output } = await withWorker(words, () =>
      vlgym([...rollout, '--out', join(home, 'there'), ...redis]),
    );
    expect(result.code, result.stderr + output).toBe(0);
    expect(result.stdout).toContain('12 episodes played');
    expect(await digests(join(home, 'there'))).toEqual(await digests(join(home, 'here')));
    expect(output).toContain('12 episodes played\n');
    expect(code).toBe(0);
  });

  it('trains on a worker that samples from the learner, in one process and in two, and again from the ledger bit for bit', async () => {
    const blobs = join(home, 'blobs');
    const words = ['--redis', server.url, '--all-runs', '--blobs', blobs, '--concurrency', '4'];
    const queue = ['--redis', server.url, '--run', 'train', '--blobs', blobs, '--max-staleness', '1'];
    const start = ['--start', join(home, 'first', 'start')];
    const inTwo = [
      '--redis',
      server.url,
      '--run',
      'ranks',
      '--blobs',
      blobs,
      '--procs',
      '2',
      '--shard-optimizer',
      ...start,
    ];
    const {
      result: both,
      code,
      output,
    } = await withWorker(words, async () => ({
      result: await vlgym(train('first', ...queue)),
      // the first of two processes speaks to Redis and samples, and both learn
      ranks: await vlgym(train('ranks', ...inTwo)),
    }));
    const { result, ranks } = both;
    expect(result.code, result.stderr + output).toBe(0);
    expect(ranks.code, ranks.stderr + output).toBe(0);
    expect(result.stderr).toContain(`workers: vlgym worker --redis ${server.url} --run train --blobs ${blobs}`);
    expect(output).toContain('plays for train');
    expect(output).toContain('plays for ranks');
    expect(code).toBe(0);
    const records = await metrics(join(home, 'first'));
    expect(records.map(({ update }) => update)).toEqual([0, 1, 2]);
    // the learner scores what it sampled over HTTP as it sampled it
    const shared = await metrics(join(home, 'ranks'));
    expect(shared.map(({ update }) => update)).toEqual([0, 1, 2]);
    for (const [, first] of [records, shared]) expect(first!.metrics['mismatch/k3']).toBeLessThan(1e-6);
    const again = [...start, '--replay-ledger', join(home, 'first'), '--blobs', blobs];
    const replay = await vlgym(train('second', ...again));
    expect(replay.code, replay.stderr).toBe(0);
    expect(await metrics(join(home, 'second'))).toEqual(records);
  });
});
