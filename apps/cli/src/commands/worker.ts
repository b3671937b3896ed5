/** `vlgym worker`: plays episodes for a run elsewhere. A plain Node process: environments, and no libtorch. */
import { hostname } from 'node:os';
import { z } from 'zod';
import { defineCommand, UsageError } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { importEnvironments, importOption } from '../environments.js';
import { queueOf, queueOptions } from '../queue-address.js';
import { addressesOf } from '../queue-run/options.js';
import { playAllRuns } from '../queue-run/play-all-runs.js';
import { serveHealth } from '../queue-run/worker-health.js';
import { openWorker } from '../queue-run/worker-of-run.js';

const ofSampler = needs({ player: false }, 'a player of yours samples by itself');

const options = z.object({
  redis: queueOptions.redis,
  run: queueOptions.run.meta(needs({ allRuns: false })),
  allRuns: z.boolean().default(false).describe('play for every run on this Redis, also for those that start later'),
  ...importOption,
  blobs: z.string().optional().describe('folder of trajectories that the learner sees too; default: VLGYM_BLOBS'),
  name: z.string().max(100).optional().describe('unique among the workers; default: host and process'),
  concurrency: z.number().int().min(1).max(1024).default(1).describe('episodes at a time, of each run'),
  model: z
    .string()
    .optional()
    .meta(ofSampler)
    .describe('model folder of the learner, for its tokenizer; default: VLGYM_MODEL'),
  sampler: z
    .array(z.url({ protocol: /^https?$/ }))
    .optional()
    .meta(ofSampler)
    .describe('servers that sample, as this machine reaches them; default: VLGYM_SAMPLERS, or as the run says'),
  player: z.string().optional().describe('JavaScript file of yours that exports `openPlayer`; it is run'),
  health: z.number().int().min(1).max(65_535).optional().describe('port of /health and /ready on this machine'),
  graceSeconds: z.number().positive().default(120).describe('how long it may finish its episodes when asked to end'),
  waitSeconds: z.number().positive().default(600).describe('how long it waits for the run to be announced'),
  leaseSeconds: z.number().min(2).default(60).describe('after this without a sign of life its episodes go to others'),
});

export const worker = defineCommand({
  name: 'worker',
  summary: 'play episodes for a run on another machine',
  description:
    'Takes episodes of a run from Redis, plays them, stores trajectories and reports each one once. Start as many as you like, before or after the run; kill them whenever you like: what they were playing goes to others. Ctrl-C or SIGTERM lets it finish its episodes; a second one ends it at once.',
  options,
  endsWhenTold: true,
  examples: [
    { command: 'vlgym worker --redis redis://127.0.0.1:6379 --run demo --blobs runs/demo/blobs', does: 'one worker' },
    { command: 'vlgym worker --redis redis://127.0.0.1:6379 --all-runs --blobs runs/bench/blobs', does: 'for a bench' },
    {
      command: 'VLGYM_QUEUE=redis://host:6379 vlgym worker --run demo --blobs /shared/demo --concurrency 16',
      does: 'on a cluster',
    },
  ],
  async run(given, { stdout, stderr, signal }) {
    const { url, run } = queueOf(given);
    const { VLGYM_BLOBS, VLGYM_MODEL, VLGYM_SAMPLERS } = process.env;
    const blobs = given.blobs ?? VLGYM_BLOBS;
    if (!blobs) throw new UsageError('--blobs FOLDER is needed.', { hint: 'the folder in which the learner looks' });
    await importEnvironments(given.import);
    const name = given.name ?? `${hostname()}-${process.pid}`;
    const settings = {
      ...given,
      ...{ url, blobs, name },
      model: given.model ?? VLGYM_MODEL,
      sampler: given.sampler ?? addressesOf(VLGYM_SAMPLERS),
      say: (line: string) => stderr.write(`${line}\n`),
    };
    const health = await serveHealth(given.health);
    process.once('SIGTERM', () => process.once('SIGTERM', () => process.exit(143)));
    try {
      if (given.allRuns) {
        health.isReady = true;
        stdout.write(`${name} plays for every run\n`);
        stdout.write(`${await playAllRuns(settings, signal)} episodes played\n`);
        return 0;
      }
      const active = await openWorker({ ...settings, run }, signal);
      health.isReady = true;
      stdout.write(`${name} plays ${active.environment} for the run "${run}"\n`);
      await ended(signal);
      stderr.write('finishing the episodes in flight\n');
      await active.drain();
      stdout.write(`${active.episodes} episodes played\n`);
      return 0;
    } finally {
      await health.close();
    }
  },
});

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
