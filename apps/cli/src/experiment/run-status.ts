/** The state of every run below a folder, from the files that runs leave. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Alarms } from '@vlgym/rl';
import { readRunFile } from './run-file.js';
import { readUpdates } from './run-progress.js';
import { readRunResult } from './run-result.js';

export interface RunStatus {
  readonly folder: string;
  readonly algorithm: string;
  readonly env: string;
  readonly seed: number;
  /** `started`: it has begun, and the process of its folder works. */
  readonly state: 'done' | 'started' | 'stopped';
  readonly updates: number;
  /** Updates of the whole run. */
  readonly total: number;
  readonly steps: number;
  /** Success rate of the last evaluation. */
  readonly success?: number;
  readonly alarms: number;
}

/** Folders of runs lie at most this deep: OUT/ENVIRONMENT/RUN. */
const DEPTH = 2;

export async function findRuns(folder: string, running: boolean, depth = DEPTH): Promise<RunStatus[]> {
  const own = await statusOf(folder, running);
  if (own) return [own];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found: RunStatus[] = [];
  for (const name of folders.sort()) found.push(...(await findRuns(join(folder, name), running, depth - 1)));
  return found;
}

interface RunFile {
  readonly algorithm: string;
  readonly control?: string;
  readonly env: string;
  readonly seed: number;
  readonly updates: number;
}

async function statusOf(folder: string, running: boolean): Promise<RunStatus | undefined> {
  const plan = (await readRunFile(folder)) as RunFile | undefined;
  if (!plan) return undefined;
  const records = await readUpdates(folder);
  const last = records.at(-1);
  const result = await readRunResult(folder);
  const final = result?.evaluations.at(-1);
  const evaluated = records.findLast(({ metrics }) => metrics['evaluation/success-rate'] !== undefined);
  const success = final ? final.successes / final.episodes : evaluated?.metrics['evaluation/success-rate'];
  const alarms = new Alarms();
  return {
    folder,
    algorithm: plan.control ?? plan.algorithm,
    env: plan.env,
    seed: plan.seed,
    state: result ? 'done' : running ? 'started' : 'stopped',
    updates: result ? plan.updates : (last?.update ?? 0),
    total: plan.updates,
    steps: result?.trainedSteps ?? last?.environmentSteps ?? 0,
    ...(success !== undefined && { success }),
    alarms: records.reduce((sum, { update, metrics }) => sum + alarms.check(update, metrics).length, 0),
  };
}
