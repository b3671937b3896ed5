import { relative } from 'node:path';
import { z } from 'zod';
import { defineCommand, UsageError } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { findRuns, type RunStatus } from '../experiment/run-status.js';
import { placeOf } from '../folders/place.js';
import { queueOf, queueOptions } from '../queue-address.js';
import { readResult } from '../suite/result-file.js';
import { readProgress, secondsLeft } from '../terminal/progress-file.js';
import { queueStatus } from '../terminal/queue-status.js';
import { dim, duration, percent, table } from '../terminal/style.js';

const ofQueue = needs({ folder: false }, 'a folder, or a run on Redis');

export const status = defineCommand({
  name: 'status',
  summary: 'how far a run or a benchmark is, from another terminal',
  description:
    'Reads the folder of `train`, `bench` or `quickstart` while they work, or after: the updates and the last success rate of each run, and the progress and the time left that the other terminal shows. Without a folder it shows the orders and the workers of a run on Redis: what waits, what is played by whom, who has fallen silent. Changes nothing.',
  positional: 'folder',
  options: z.object({
    folder: z.string().optional().describe('a run or a part of it, a report with its runs, or recorded episodes'),
    redis: queueOptions.redis.meta(ofQueue),
    run: queueOptions.run.meta(ofQueue),
    json: z.boolean().default(false).describe('print JSON for scripts'),
  }),
  examples: [
    { command: 'vlgym status runs/quickstart', does: 'all runs of the quickstart' },
    { command: 'vlgym status runs/vl-dac-0 --json', does: 'one run, for a script' },
    { command: 'vlgym status --redis redis://127.0.0.1:6379 --run demo', does: 'the workers of a run' },
  ],
  async run({ folder: given, json, ...queue }, { stdout }) {
    if (given === undefined) {
      if (!queue.redis && !process.env.VLGYM_QUEUE) {
        throw new UsageError('Expected a folder or --redis URL.', { hint: 'vlgym status runs/quickstart' });
      }
      stdout.write(`${await queueStatus(queueOf(queue), json)}\n`);
      return 0;
    }
    const { folder: place, run } = await placeOf(given);
    const folder = run ?? place;
    const progress = await readProgress(folder);
    const runs = await findRuns(folder, progress?.running ?? false);
    if (runs.length === 0 && !progress) {
      const recorded = await recordedTable(given);
      stdout.write(`${json ? JSON.stringify({ runs, recordings: recorded.rows }, null, 2) : recorded.table}\n`);
      return 0;
    }
    const { saved, running } = progress ?? {};
    const left = saved && running ? secondsLeft(saved) - (Date.now() - saved.writtenAt) / 1000 : undefined;
    if (json) {
      const overall = saved && { ...saved, running, secondsLeft: finite(left) };
      stdout.write(`${JSON.stringify({ progress: overall, runs }, null, 2)}\n`);
      return 0;
    }
    if (runs.length > 0) stdout.write(`${table([HEAD, ...runs.map((run) => row(run, folder))])}\n`);
    if (saved) {
      const far = saved.total > 0 ? `${Math.floor((100 * saved.done) / saved.total)} %` : `${saved.done} ${saved.unit}`;
      const tail = running
        ? left !== undefined && Number.isFinite(left) && saved.done < saved.total
          ? `${duration(Math.max(0, left))} left`
          : 'working'
        : saved.done >= saved.total
          ? 'ended'
          : `not running; continue with: ${resumed(saved.command)}`;
      stdout.write(`${saved.label} ${far}  ${dim(tail)}\n`);
    }
    return 0;
  },
});

/** Recorded episodes that are of no run. */
async function recordedTable(given: string) {
  const { cells } = await readResult(given);
  const rows = cells.map(({ environment, agent, planned, scores }) => ({
    environment,
    agent,
    episodes: planned,
    counted: scores?.counted ?? 0,
    successRate: scores?.successRate,
  }));
  const lines = rows.map(({ environment, agent, episodes, counted, successRate }) => [
    environment,
    agent,
    `${counted} of ${episodes}`,
    successRate === undefined ? '–' : percent(successRate, 0),
  ]);
  return { rows, table: table([['environment', 'agent', 'episodes', 'success'], ...lines]) };
}

const finite = (seconds: number | undefined) =>
  seconds !== undefined && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;

const HEAD = ['run', 'state', 'updates', 'steps', 'success', 'alarms'];

const row = ({ folder, state, updates, total, steps, success, alarms }: RunStatus, root: string) => [
  relative(root, folder) || folder,
  state,
  `${updates} of ${total}`,
  String(steps),
  success === undefined ? '–' : percent(success, 0),
  String(alarms),
];

/** `train` needs --resume to continue; the other commands continue without it. */
const resumed = (command: string) =>
  command.startsWith('vlgym train') && !command.includes('--resume') ? `${command} --resume` : command;
