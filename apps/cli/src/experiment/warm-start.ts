/**
 * The common start of a comparison: supervised labels of the expert, until the model succeeds often enough to learn
 * from its own play and seldom enough to have something to learn. Done once per folder.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core';
import { createPolicy } from '@vlgym/gpu';
import { supervisedWarmStart } from '@vlgym/rl';
import type { WarmStartResult } from '../report/data.js';
import { environment, evaluateGreedily } from './evaluate-policy.js';
import { type CompleteTask, settingsOf } from './settings.js';

export interface WarmStart extends WarmStartResult {
  /** Greedy success on the evaluation seeds. */
  readonly successes: number;
  readonly episodes: number;
}

export interface WarmStartProgress {
  readonly examples: number;
  readonly maxExamples: number;
  readonly loss: number;
  /** Last greedy success rate on seeds apart from the evaluation's. */
  readonly success: number | undefined;
}

export const weightsOf = (folder: string) => join(folder, 'policy');
export const episodesOf = (folder: string) => join(folder, 'episodes');

export async function ensureWarmStart(
  task: CompleteTask,
  folder: string,
  { onProgress, signal }: { onProgress?: (progress: WarmStartProgress) => void; signal: AbortSignal },
): Promise<WarmStart> {
  const done = await readResult(folder);
  if (done) return done;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const { maxExamples, success, checkEvery } = settingsOf(task.env).warmStart;
  const policy = createPolicy({ preset: task.model, seed: 0 });
  try {
    const started = performance.now();
    const loss: (readonly [number, number])[] = [];
    let rate: number | undefined;
    const report = await supervisedWarmStart({
      policy,
      makeEnv: environment(task),
      maxExamples,
      targetSuccess: success,
      checkEvery,
      seed: 0,
      signal,
      onProgress: (progress) => {
        loss.push([progress.examples, progress.loss]);
        rate = progress.success ?? rate;
        onProgress?.({ examples: progress.examples, maxExamples, loss: progress.loss, success: rate });
      },
    });
    signal.throwIfAborted();
    const seconds = (performance.now() - started) / 1000;
    await policy.save(weightsOf(folder));
    const evaluation = await evaluateGreedily(task, policy, episodesOf(folder), signal);
    signal.throwIfAborted();
    const result: WarmStart = {
      examples: report.examples,
      seconds,
      loss,
      successes: evaluation.successes,
      episodes: evaluation.counted,
    };
    await writeFileAtomic(join(folder, 'result.json'), JSON.stringify(result));
    return result;
  } finally {
    policy.close();
  }
}

async function readResult(folder: string): Promise<WarmStart | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'result.json'), 'utf8')) as WarmStart;
  } catch {
    return undefined; // not there, or torn by a kill: it is made again
  }
}
