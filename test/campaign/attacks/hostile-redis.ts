/** Strangers who reach the broker of a run: it takes all its orders, each once, with the episodes of an undisturbed run. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CountingEnv } from '@vlgym/core/testing';
import { MemoryBlobs, MemoryLedger, MemoryQueue, Orchestrator, SamplerPlayer } from '@vlgym/queue';
import { hasRedis, RedisServer } from '../../../packages/queue/test/redis-server.js';
import { config, WordSampler } from '../../../packages/queue/test/word-sampler.js';
import type { Attack, Finding } from '../attack.js';
import { runScript } from '../support/child.js';

const SCRIPT = fileURLToPath(new URL('../../../packages/queue/campaign/hostile-child.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');
const ORDERS = 10;

interface Counted {
  readonly seen: readonly string[];
  readonly codes: readonly string[];
  readonly written: readonly string[];
  readonly refused: number;
  readonly unreadable: number;
  readonly counted: number;
  readonly mended: readonly string[];
}

export const hostileRedis: Attack = {
  name: 'hostile-redis',
  about: 'any bytes in any key of a run on Redis, while it is played',
  unavailable: () => (hasRedis ? undefined : 'redis-server is not installed: apt-get install redis-server'),
  async run({ seed, folder }) {
    const own = seed % 2 ** 31;
    const server = await RedisServer.start(['--appendonly', 'no']);
    try {
      const args = [server.url, String(own), folder];
      const result = await runScript(SCRIPT, { args, preload: [TSX], timeout: 90_000 });
      const line = result.stdout.split('\n').find((text) => text.startsWith('{"seen"'));
      if (line === undefined) {
        const title = result.timedOut ? 'the run does not end' : `the learner dies: ${result.signal ?? result.code}`;
        return { counts: {}, findings: [{ title, detail: result.stderr.slice(-2000) }] };
      }
      const counted = JSON.parse(line) as Counted;
      const { written, refused, unreadable, mended } = counted;
      const counts = { writes: written.length, refused, unreadable, mended: mended.length, runs: 1 };
      return { counts, findings: judged(counted, await undisturbed(own)) };
    } finally {
      await server.stop();
    }
  },
};

function judged({ seen, codes, written }: Counted, expected: readonly string[]): Finding[] {
  const detail = `written: ${written.join(', ')}\nends: ${codes.join(', ')}\ncounted:\n${seen.join('\n')}`;
  const other = codes.find((code) => code !== 'LEADERSHIP_LOST');
  if (other !== undefined) return [{ title: `the run ends with ${other.split('\n')[0]}`, detail }];
  const wrong = expected.filter((line) => !seen.includes(line));
  if (wrong.length === 0 && seen.length === expected.length) return [];
  return [{ title: 'what was counted is not what an undisturbed run counts', detail }];
}

/** Order, seed and trajectory of every order of the run in one process. */
async function undisturbed(seed: number): Promise<string[]> {
  const makeEnv = () => new CountingEnv({ maxTarget: 3 });
  const player = new SamplerPlayer({ makeEnv, sampler: new WordSampler(), config, runSeed: seed });
  const queue = new MemoryQueue({ player, blobs: new MemoryBlobs(), concurrency: 2 });
  const orchestrator = await Orchestrator.open({ queue, ledger: new MemoryLedger(), plan: { run: 'hostile', seed } });
  const records = await orchestrator.take(ORDERS);
  await orchestrator.close();
  return records.map((record) => `${record.order} ${record.seed} ${record.digest}`);
}
