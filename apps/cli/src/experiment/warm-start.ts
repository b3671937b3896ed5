/**
 * The common start of a comparison: the model imitates a teacher who describes what it sees rightly and often errs in
 * what it does. It then speaks and sees, and has something left to learn from its own play. Done once per folder.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core';
import { supervisedWarmStart } from '@vlgym/rl';
import type { WarmStartResult } from '../report/data.js';
import { environment, evaluateOnFixedSeeds } from './evaluate-policy.js';
import { newPolicy } from './policy.js';
import { type CompleteTask, settingsOf } from './settings.js';

export interface WarmStart extends WarmStartResult {
  /** On the evaluation seeds. */
  readonly successes: number;
  readonly episodes: number;
}

export interface WarmStartProgress {
  readonly examples: number;
  readonly total: number;
  readonly loss: number;
}

const BATCH = 64;

export const weightsOf = (folder: string) => join(folder, 'policy');
export const episodesOf = (folder: string) => join(folder, 'episodes');

export async function ensureWarmStart(
  task: CompleteTask,
  folder: string,
  { onProgress, signal }: { onProgress?: (progress: WarmStartProgress) => void; signal: AbortSignal },
): Promise<WarmStart> {
  const settings = settingsOf(task.env).warmStart;
  const { learningRate } = settings;
  const mistakes = task.warmStartMistakes ?? settings.mistakes;
  const examples = BATCH * Math.ceil((task.warmStartExamples ?? settings.examples) / BATCH);
  const episodes = settings.episodes && Math.min(settings.episodes, examples);
  const done = await readResult(folder);
  if (done?.examples === examples && done.mistakes === mistakes) return done;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const policy = await newPolicy(task);
  try {
    const started = performance.now();
    const loss: (readonly [number, number])[] = [];
    const report = await supervisedWarmStart({
      policy,
      makeEnv: environment(task),
      ...(episodes !== undefined && { episodes }),
      balance: 'none',
      mistakes,
      examples,
      until: null,
      exploration: 0,
      batch: BATCH,
      microBatch: BATCH,
      learningRate,
      warmupRatio: 0.13,
      seed: 0,
      signal,
      onProgress: (progress) => {
        loss.push([progress.examples, progress.loss]);
        onProgress?.({ examples: progress.examples, total: examples, loss: progress.loss });
      },
    });
    signal.throwIfAborted();
    const seconds = (performance.now() - started) / 1000;
    await policy.save(weightsOf(folder));
    const evaluation = await evaluateOnFixedSeeds(task, policy, episodesOf(folder), signal);
    signal.throwIfAborted();
    const result: WarmStart = {
      ...(episodes !== undefined && { labelledEpisodes: episodes }),
      mistakes,
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
