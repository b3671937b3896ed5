/**
 * Algorithms × environments × seeds: a common warm start per environment, each run in its own process, one report.
 *
 * A finished run is not repeated; an interrupted one continues from its checkpoint. A process that dies loses only its own
 * run, and the report is made from the others.
 */
import { fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import { BIN } from '../../bin.js';
import { errorLine } from '../../processes/error-line.js';
import type { RunResult } from '../../report/data.js';
import type { RunMessage } from '../messages.js';
import { threadsPerJob } from '../resources.js';
import { isComplete, readRunResult } from '../run-result.js';
import type { RunPlan } from '../spec.js';
import { COMMON_START } from '../warm-start/lessons.js';

/** A training process ended without a result. */
export class RunFailedError extends GymError {
  constructor(
    readonly folder: string,
    reason: string,
  ) {
    super(`The run in ${folder} ended without a result: ${reason}.`, {
      code: 'RUN_FAILED',
      value: folder,
      hint: `see ${join(folder, 'run.log')}; the same command again continues it`,
    });
  }
}

export interface ComparisonOptions {
  /** In the order in which they begin; the next one is asked for when a process is free. */
  readonly plans: Iterable<RunPlan> | AsyncIterable<RunPlan>;
  /** Processes side by side. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly listen: (plan: RunPlan, message: RunMessage) => void;
  /** Called with all results so far when a run has got one in this call. */
  readonly onResult?: (results: ReadonlyMap<RunPlan, RunResult>) => void;
  readonly onFailure?: (failure: RunFailedError) => void;
}

export interface ComparisonOutcome {
  /** Results of the finished runs. */
  readonly results: ReadonlyMap<RunPlan, RunResult>;
  readonly failures: readonly RunFailedError[];
}

export async function compare({
  plans,
  jobs,
  signal,
  listen,
  onResult,
  onFailure,
}: ComparisonOptions): Promise<ComparisonOutcome> {
  const results = new Map<RunPlan, RunResult>();
  const failures: RunFailedError[] = [];
  const queue = oneByOne(plans);
  const lane = async () => {
    // an error in one lane closes the queue for all
    for await (const plan of queue) {
      if (signal.aborted) break;
      const done = await readRunResult(plan.folder);
      const isDone = done !== undefined && isComplete(done, plan);
      const result = isDone ? done : await runInProcess(plan, jobs, signal, listen);
      if (result instanceof RunFailedError) {
        failures.push(result);
        onFailure?.(result);
      } else if (result) {
        results.set(plan, result);
        if (!isDone) onResult?.(results);
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: jobs }, lane));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return { results, failures };
}

/** A generator answers one call after the other, however many processes ask. */
async function* oneByOne(plans: ComparisonOptions['plans']): AsyncGenerator<RunPlan> {
  yield* plans;
}

/** The plan says where its episodes are played; variables meant for the whole would give all runs one name. */
const OWN_QUEUE = { VLGYM_QUEUE: undefined, VLGYM_RUN: undefined, VLGYM_SAMPLERS: undefined, VLGYM_BLOBS: undefined };

async function runInProcess(
  plan: RunPlan,
  jobs: number,
  signal: AbortSignal,
  listen: ComparisonOptions['listen'],
): Promise<RunResult | RunFailedError | undefined> {
  await mkdir(plan.folder, { recursive: true });
  const config = join(plan.folder, 'config.json');
  const given = { start: COMMON_START, ...plan.given };
  await writeFileAtomic(
    config,
    JSON.stringify({ ...plan, given, resume: true, threads: plan.threads ?? threadsPerJob(jobs) }, null, 2),
  );
  if (signal.aborted) return undefined;
  const child = fork(BIN, ['train', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...OWN_QUEUE },
  });
  const output: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.on('message', (message) => listen(plan, message as RunMessage));
  // a terminal sends Ctrl-C to the child too; this is for other stops
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const [code, killedBy] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit, killer) => resolve([exit, killer]));
  });
  signal.removeEventListener('abort', stop);
  await writeFileAtomic(join(plan.folder, 'run.log'), output.join(''));
  const result = await readRunResult(plan.folder);
  if ((result && isComplete(result, plan)) || signal.aborted) return result;
  const reason = killedBy ? `killed by ${killedBy}` : `exit code ${code}, ${errorLine(output.join('')) ?? 'no output'}`;
  return new RunFailedError(plan.folder, reason);
}
