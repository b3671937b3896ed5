/**
 * The common start of a comparison: the model imitates a teacher who describes what it sees rightly and often errs in
 * what it does. It then speaks and sees, and has something left to learn from its own play. Done once per folder.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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

/** What makes a warm start another one. */
interface Identity {
  readonly env: string;
  readonly envOptions: unknown;
  readonly model: string;
  readonly examples: number;
  readonly mistakes: number;
  readonly evaluation: readonly number[];
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
  const { env, envOptions, model, evaluationEpisodes, evaluationFirstSeed, evaluationTemperature } = task;
  const evaluation = [evaluationEpisodes, evaluationFirstSeed, evaluationTemperature];
  const identity: Identity = { env, envOptions, model, examples, mistakes, evaluation };
  const done = await readResult(folder, identity);
  if (done) return done;
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
    const evaluated = await evaluateOnFixedSeeds(task, policy, episodesOf(folder), signal);
    signal.throwIfAborted();
    const result: WarmStart = {
      ...(episodes !== undefined && { labelledEpisodes: episodes }),
      mistakes,
      examples: report.examples,
      seconds,
      loss,
      successes: evaluated.successes,
      episodes: evaluated.counted,
    };
    await writeFileAtomic(join(folder, 'result.json'), JSON.stringify({ identity, result }));
    return result;
  } finally {
    policy.close();
  }
}

/** The result in the folder, if it is of this warm start. */
async function readResult(folder: string, identity: Identity): Promise<WarmStart | undefined> {
  try {
    const found = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
    return isDeepStrictEqual(found.identity, JSON.parse(JSON.stringify(identity))) ? found.result : undefined;
  } catch {
    return undefined; // not there, or torn by a kill: it is made again
  }
}
