/** `vlgym rollout`: plays episodes through the queue, in this process or on workers, and counts each of them once. */
import { join } from 'node:path';
import { oracleAgent, randomAgent } from '@vlgym/agents';
import { make, specToJson } from '@vlgym/core';
import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { importOption, withEnvironment } from '../environments.js';
import { loadQueue } from '../load-queue.js';
import { queueOf, queueOptions } from '../queue-address.js';

const options = z.object({
  env: z.string().default('vlgym/Points24-v1').describe('id or short name of the environment'),
  ...importOption,
  envOptions: z.record(z.string(), z.unknown()).default({}).describe('options of the environment'),
  agent: z.enum(['random', 'oracle']).default('random').describe('agent that plays'),
  episodes: z.number().int().positive().default(100).describe('number of episodes'),
  seed: z.number().int().nonnegative().default(0).describe('every episode follows from it and its number'),
  parallel: z
    .number()
    .int()
    .positive()
    .default(8)
    .meta(needs({ redis: false, VLGYM_QUEUE: false }, 'on Redis each worker has its --concurrency'))
    .describe('episodes at a time, without --redis'),
  out: z.string().default('runs/rollout').describe('folder of the ledger and of the trajectories in `blobs`'),
  ...queueOptions,
});

export const rollout = defineCommand({
  name: 'rollout',
  summary: 'play episodes, here or on the workers of a cluster',
  description:
    'Plays numbered episodes and writes a ledger with one line for each. Without --redis they are played here; with it, by `vlgym worker` processes on any machine, and the result is the same. The same command again continues where it stopped, whatever was killed.',
  positional: 'env',
  options,
  examples: [
    { command: 'vlgym rollout vlgym/Points24-v1 --agent oracle --episodes 200', does: 'in this process' },
    { command: 'vlgym rollout --episodes 10000 --redis redis://127.0.0.1:6379 --run demo', does: 'on workers' },
  ],
  async run(typed, { stdout, stderr, signal }) {
    const given = await withEnvironment(typed);
    // the client of Redis takes a while to load; other commands do not need it
    const { AgentPlayer, FolderBlobs, LedgerFile, MemoryQueue, Orchestrator, RedisQueue, ...queues } =
      await loadQueue();
    const { env, envOptions, agent, episodes, seed, parallel, out } = given;
    const template = await make(env, { options: envOptions });
    const spec = template.spec!;
    await template.close();
    const blobs = new FolderBlobs(join(out, 'blobs'));
    const isRemote = given.redis !== undefined || process.env.VLGYM_QUEUE !== undefined;
    const { url, run } = isRemote ? queueOf(given) : { url: '', run: given.run ?? 'default' };
    const player = new AgentPlayer({
      makeEnv: () => make(env, { options: envOptions }),
      agent: agent === 'random' ? randomAgent() : oracleAgent(),
      runSeed: seed,
    });
    const ledger = await LedgerFile.open(out, { run, seed, agent, env: specToJson(spec) });
    const definition = queues.definitionToJson({ env: spec, seed, player: agent });
    const queue = isRemote
      ? new RedisQueue({ url, run, owner: ledger.id, blobs, definition })
      : new MemoryQueue({ player, blobs, concurrency: parallel });
    try {
      const orchestrator = await Orchestrator.open({
        queue,
        ledger,
        blobs,
        plan: { run, seed },
        onEvent: (event) => stderr.write(`${JSON.stringify(event)}\n`),
      });
      const records = await orchestrator.take(episodes, { signal });
      let solved = 0;
      for (const record of records) {
        const place = { id: `order-${record.order}`, environment: 0 };
        const { episode } = await queues.readTaken(record, { orchestrator, blobs, place, signal });
        if (episode?.summary.success) solved += 1;
      }
      await orchestrator.finish();
      const { abandoned, duplicates, refused, unreadable } = orchestrator.counts;
      const more = [
        ...(refused > 0 ? [`${refused} entries refused`] : []),
        ...(unreadable > 0 ? [`${unreadable} unreadable and issued again`] : []),
      ];
      stdout.write(
        `${records.length - abandoned} episodes played, ${solved} solved, ${abandoned} abandoned, ${[`${duplicates} received twice and counted once`, ...more].join(', ')}\n`,
      );
      return abandoned === 0 ? 0 : 1;
    } finally {
      await queue.close();
      await ledger.close();
    }
  },
});
