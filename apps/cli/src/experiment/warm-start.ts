/**
 * The common start of a comparison: the model imitates a teacher who describes what it sees rightly and often errs in
 * what it does. It then speaks and sees, and has something left to learn from its own play. Done once per folder.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Scores } from '@vlgym/agents';
import { lockFolder, writeFileAtomic } from '@vlgym/core';
import { supervisedWarmStart } from '@vlgym/rl';
import type { WarmStartResult } from '../report/data.js';
import { environment, evaluateOnFixedSeeds } from './evaluate-policy.js';
import { newPolicy } from './policy.js';
import { type CompleteTask, settingsOf } from './settings.js';

export interface WarmStart extends WarmStartResult {
  /** On the evaluation seeds. */
  readonly scores: Scores;
}

/** What makes a warm start another one. */
interface Identity extends ReturnType<typeof evaluated> {
  readonly examples: number;
  readonly mistakes: number;
}

/** What its scores are of. */
function evaluated({ env, envOptions, model, ...task }: CompleteTask) {
  const evaluation = [task.evaluationEpisodes, task.evaluationFirstSeed, task.evaluationTemperature];
  return { env, envOptions, model, evaluation };
}

export interface WarmStartProgress {
  readonly examples: number;
  readonly total: number;
  readonly loss: number;
}

const BATCH = 64;

export const weightsOf = (folder: string) => join(folder, 'policy');
export const episodesOf = (folder: string) => join(folder, 'episodes');

interface WarmStartOptions {
  readonly onProgress?: (progress: WarmStartProgress) => void;
  readonly signal: AbortSignal;
}

/** @throws {FolderLockedError} Another process makes it, or trains, in the folder around `folder`. */
export async function ensureWarmStart(
  task: CompleteTask,
  folder: string,
  options: WarmStartOptions,
): Promise<WarmStart> {
  const lock = await lockFolder(dirname(folder), 'start');
  return findOrMake(task, folder, options).finally(() => lock.release());
}

async function findOrMake(
  task: CompleteTask,
  folder: string,
  { onProgress, signal }: WarmStartOptions,
): Promise<WarmStart> {
  const settings = settingsOf(task.env).warmStart;
  const { learningRate } = settings;
  const mistakes = task.warmStartMistakes ?? settings.mistakes;
  const examples = BATCH * Math.ceil((task.warmStartExamples ?? settings.examples) / BATCH);
  const episodes = settings.episodes && Math.min(settings.episodes, examples);
  const identity: Identity = { ...evaluated(task), examples, mistakes };
  const done = await readResult(folder);
  if (done && isSame(done.identity, identity)) return done.result;
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
    const { episodes: _, ...scores } = await evaluateOnFixedSeeds(task, policy, episodesOf(folder), signal);
    signal.throwIfAborted();
    const result: WarmStart = {
      ...(episodes !== undefined && { labelledEpisodes: episodes }),
      mistakes,
      examples: report.examples,
      seconds,
      loss,
      scores,
    };
    await writeFileAtomic(join(folder, 'result.json'), JSON.stringify({ identity, result }));
    return result;
  } finally {
    policy.close();
  }
}

/** How good a run's start is, where a warm start for this very task has left that there. */
export async function scoresOfStart(task: CompleteTask, folder: string): Promise<Scores | undefined> {
  const found = await readResult(folder);
  if (!found) return undefined;
  const { examples: _, mistakes: __, ...of } = found.identity;
  return isSame(of, evaluated(task)) ? found.result.scores : undefined;
}

async function readResult(folder: string): Promise<{ identity: Identity; result: WarmStart } | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
  } catch {
    return undefined; // not there, or torn by a kill: it is made again
  }
}

/** Of data that has been written and read, and data that has not. */
const isSame = (read: unknown, made: unknown) => isDeepStrictEqual(read, JSON.parse(JSON.stringify(made)));
