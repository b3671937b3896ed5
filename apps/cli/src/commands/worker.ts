/** `vlgym worker`: plays episodes for a run elsewhere. A plain Node process: environments, and no libtorch. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { oracleAgent, randomAgent } from '@vlgym/agents';
import { makeFromUntrustedSpec } from '@vlgym/core';
import type { EpisodePlayer, RunDefinition, WorkerEvent } from '@vlgym/queue';
import { z } from 'zod';
import { defineCommand, UsageError } from '../command.js';
import { importEnvironments, importOption } from '../environments.js';
import { loadQueue } from '../load-queue.js';
import { queueOf, queueOptions } from '../queue-address.js';

const options = z.object({
  ...queueOptions,
  ...importOption,
  blobs: z.string().optional().describe('folder of trajectories that the learner sees too; default: VLGYM_BLOBS'),
  name: z.string().max(100).optional().describe('unique among the workers; default: host and process'),
  concurrency: z.number().int().min(1).max(1024).default(1).describe('episodes at a time'),
  player: z.string().optional().describe('JavaScript file of yours that exports `openPlayer`; it is run'),
  graceSeconds: z.number().positive().default(120).describe('how long it may finish its episodes when told to end'),
  waitSeconds: z.number().positive().default(600).describe('how long it waits for the run to be announced'),
  leaseSeconds: z.number().min(2).default(60).describe('after this without a sign of life its episodes go to others'),
});

/** What a file given by `--player` exports. */
export type OpenPlayer = (run: RunDefinition) => EpisodePlayer | Promise<EpisodePlayer>;

export const worker = defineCommand({
  name: 'worker',
  summary: 'play episodes for a run on another machine',
  description:
    'Takes episodes of a run from Redis, plays them, stores trajectories and reports each one once. Start as many as you like, before or after the run; kill them whenever you like: what they were playing goes to others. Ctrl-C or SIGTERM lets it finish its episodes; a second one ends it at once.',
  options,
  endsWhenTold: true,
  examples: [
    { command: 'vlgym worker --redis redis://127.0.0.1:6379 --run demo --blobs runs/demo/blobs', does: 'one worker' },
    {
      command: 'VLGYM_QUEUE=redis://host:6379 vlgym worker --run demo --blobs /shared/demo --concurrency 16',
      does: 'on a cluster',
    },
  ],
  async run(given, { stdout, stderr, signal }) {
    const { url, run } = queueOf(given);
    const folder = given.blobs ?? process.env.VLGYM_BLOBS;
    if (!folder) throw new UsageError('--blobs FOLDER is needed.', { hint: 'the folder in which the learner looks' });
    await importEnvironments(given.import);
    // the client of Redis takes a while to load; other commands do not need it
    const { FolderBlobs, RedisWorker, readDefinition } = await loadQueue();
    const definition = await readDefinition(url, run, given.waitSeconds * 1000);
    const name = given.name ?? `${hostname()}-${process.pid}`;
    let episodes = 0;
    const leaseMs = given.leaseSeconds * 1000;
    const active = new RedisWorker({
      url,
      run,
      name,
      player: await openPlayer(given.player, definition),
      blobs: new FolderBlobs(folder),
      concurrency: given.concurrency,
      timing: { lockMs: leaseMs, stallMs: leaseMs / 2 },
      onEvent: (event) => {
        if (event.type === 'played') episodes += 1;
        else stderr.write(`${describe(event)}\n`);
      },
    });
    stdout.write(`${name} plays ${definition.env.id} for the run "${run}"\n`);
    await ended(signal);
    stderr.write('finishing the episodes in flight\n');
    process.once('SIGTERM', () => process.exit(143));
    await active.drain(given.graceSeconds * 1000);
    stdout.write(`${episodes} episodes played\n`);
    return 0;
  },
});

/** Address and name of the run, from the flags or the environment. */
async function openPlayer(file: string | undefined, definition: RunDefinition): Promise<EpisodePlayer> {
  if (file !== undefined) {
    const { openPlayer: open } = (await import(pathToFileURL(resolve(file)).href)) as { openPlayer?: OpenPlayer };
    if (typeof open === 'function') return open(definition);
    throw new UsageError(`${file} does not export \`openPlayer\`.`, { expected: 'a function from a run to a player' });
  }
  const { env, player, seed } = definition;
  if (typeof player !== 'string') {
    throw new UsageError('This run needs a player of its own.', {
      hint: 'give the file of the run with --player FILE',
    });
  }
  const { AgentPlayer } = await loadQueue();
  const agent = player === 'random' ? randomAgent() : oracleAgent();
  // the run comes from the network: it may name environments, not files or programs
  return new AgentPlayer({ makeEnv: () => makeFromUntrustedSpec(env), agent, runSeed: seed });
}

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function describe(event: Exclude<WorkerEvent, { type: 'played' }>): string {
  switch (event.type) {
    case 'failed':
      return `episode ${event.order} failed: ${event.problem}`;
    case 'lease-lost':
      return `lost the lease of ${event.orders.join(', ')}; others play them now`;
    case 'event-loop-late':
      return `the event loop was blocked for ${event.milliseconds} ms; leases will be lost`;
    case 'no-space':
      return `no space for trajectories, waiting: ${event.problem}`;
  }
}
