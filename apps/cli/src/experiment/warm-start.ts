/**
 * The common start of a comparison: the model imitates a teacher who describes what it sees rightly and often errs in
 * what it does. It then speaks and sees, and has something left to learn from its own play. Done once per folder.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Scores } from '@vlgym/agents';
import { type AnyEnv, lockFolder, writeFileAtomic } from '@vlgym/core';
import { type Policy, supervisedWarmStart } from '@vlgym/rl';
import type { WarmStartResult } from '../report/data.js';
import { contentOf } from './content/content.js';
import { MetTasks } from './content/met-tasks.js';
import { splitsOf } from './content/splits.js';
import { environment, evaluateOnFixedSeeds, evaluateOnSeenTasks, outcomesOf } from './evaluate-policy.js';
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

export const weightsOf = (folder: string) => join(folder, 'policy');
export const episodesOf = (folder: string) => join(folder, 'episodes');
/** Content keys of everything its labels are about. */
export const tasksOf = (folder: string) => join(folder, 'tasks.jsonl');

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
  const { mistakes, examples, episodes } = lessons(task);
  const identity: Identity = { ...evaluated(task), examples, mistakes };
  const done = await readResult(folder);
  if (done && isSame(done.identity, identity)) return done.result;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const policy = await newPolicy(task);
  try {
    const started = performance.now();
    const splits = await splitsOf(task);
    const met = new MetTasks();
    const makeEnv = met.watching(environment(task, splits.train));
    const loss = await teach(task, policy, { makeEnv, examples, mistakes, episodes, seed: 0, signal, onProgress });
    const seconds = (performance.now() - started) / 1000;
    await policy.save(weightsOf(folder));
    const { episodes: before, ...scores } = await evaluateOnFixedSeeds(task, policy, episodesOf(folder), signal);
    signal.throwIfAborted();
    contentOf(splits, before, met);
    const seen = await evaluateOnSeenTasks(task, policy, met.list(), signal);
    signal.throwIfAborted();
    met.appendTo(tasksOf(folder));
    const result: WarmStart = {
      ...(episodes !== undefined && { labeledEpisodes: episodes }),
      mistakes,
      examples,
      seconds,
      ...(!met.hasGaps && { tasks: met.size }),
      before: outcomesOf(before),
      ...(seen && { seen }),
      loss,
      scores,
    };
    await writeFileAtomic(join(folder, 'result.json'), JSON.stringify({ identity, result }));
    return result;
  } finally {
    policy.close();
  }
}

/** What the warm start of a task is taught, where the task says nothing else. */
export function lessons(task: CompleteTask) {
  const settings = settingsOf(task.env).warmStart;
  const { batch } = settings;
  const examples = batch * Math.ceil((task.warmStartExamples ?? settings.examples) / batch);
  return {
    examples,
    mistakes: task.warmStartMistakes ?? settings.mistakes,
    episodes: settings.episodes === undefined ? undefined : Math.min(settings.episodes, examples),
  };
}

export interface Lessons {
  readonly makeEnv: () => Promise<AnyEnv>;
  /** Labels, rounded up to whole batches. */
  readonly examples: number;
  readonly mistakes: number;
  /** Distinct episodes; every one is new when left out. */
  readonly episodes: number | undefined;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: WarmStartProgress) => void) | undefined;
}

/** Teaches `policy` in the way of warm starts. @returns the loss over examples. */
export async function teach(
  task: CompleteTask,
  policy: Policy,
  { makeEnv, examples, mistakes, episodes, seed, signal, onProgress }: Lessons,
): Promise<(readonly [number, number])[]> {
  const { batch, learningRate } = settingsOf(task.env).warmStart;
  const loss: (readonly [number, number])[] = [];
  await supervisedWarmStart({
    policy,
    makeEnv,
    ...(episodes !== undefined && { episodes }),
    balance: 'none',
    mistakes,
    examples,
    until: null,
    exploration: 0,
    batch,
    microBatch: batch,
    learningRate,
    warmupRatio: 0.13,
    seed,
    signal,
    onProgress: (progress) => {
      loss.push([progress.examples, progress.loss]);
      onProgress?.({ examples: progress.examples, total: examples, loss: progress.loss });
    },
  });
  signal.throwIfAborted();
  return loss;
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
