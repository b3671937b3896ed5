/**
 * The common start of a comparison: the model imitates a teacher who describes correctly what it sees and often errs in
 * what it does. It then speaks and sees, and has something left to learn from its own play. Done once per folder.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Scores } from '@vlgym/agents';
import { type AnyEnv, GymError } from '@vlgym/core';
import { lockFolder, writeFileAtomic } from '@vlgym/core/internal';
import type { EvaluationSettings, WarmStartPolicy } from '@vlgym/rl';
import { supervisedWarmStart } from '@vlgym/rl/warm-start';
import { jsonIn } from '../../folders/text-file.js';
import type { WarmStartResult } from '../../report/data.js';
import { environment, evaluateOnFixedSeeds, evaluateOnSeenTasks, outcomesOf } from '../evaluation/evaluate-policy.js';
import { judgmentOfTask } from '../evaluation/judgment.js';
import { newPolicy } from '../policy.js';
import { type CompleteTask, settingsOf } from '../settings/settings.js';
import { SeenTasks, tasksOf } from '../task-separation/seen-tasks.js';
import { splitsOf } from '../task-separation/splits.js';
import { contentOf } from '../task-separation/task-separation.js';
import { planPass } from '../training-memory.js';
import { givenStart, StartDiffersError } from './given-start.js';
import { lessons, type WarmStartPlan } from './lessons.js';

export interface WarmStart extends WarmStartResult {
  /** On the evaluation seeds. */
  readonly scores: Scores;
}

/** Choices that make one warm start differ from another. */
interface Identity extends ReturnType<typeof evaluated> {
  readonly settings: EvaluationSettings;
  readonly examples: number;
  readonly mistakes: number;
  /** Absent for 0, as in folders from before there were others. */
  readonly warmStartSeed?: number;
  /** These two are left out where they are what the environment declares. */
  readonly learningRate?: number;
  readonly batch?: number;
  /** Digest of the weights that took the place of lessons, where they did. */
  readonly weights?: string;
}

/** Choices that its scores depend on; an optional one is left out if it changes nothing. */
function evaluated({ env, envOptions, model, loraRank, dtype, samplerDtype, autocast, ...task }: CompleteTask) {
  return {
    ...{ env, envOptions, model, ...(loraRank && { loraRank }), ...(dtype && { dtype }) },
    ...(samplerDtype && samplerDtype !== 'same' && { samplerDtype }),
    ...(autocast && autocast !== 'none' && { autocast }),
    evaluation: [task.evaluationEpisodes, task.evaluationFirstSeed],
  };
}

export interface WarmStartProgress {
  readonly examples: number;
  readonly total: number;
  readonly loss: number;
}

/** A start may be the weights themselves, as checkpoints of `sft` are. */
export const weightsOf = (folder: string) =>
  existsSync(join(folder, 'policy.json')) ? folder : join(folder, 'policy');
export const episodesOf = (folder: string) => join(folder, 'episodes');

interface WarmStartOptions {
  /** Weights in place of lessons, as a person names them. */
  readonly from?: string | undefined;
  /** How it is judged; default: as weights that no algorithm has trained. */
  readonly settings?: EvaluationSettings;
  /** Called with a note on the warm start before it is used. */
  readonly onNote?: (text: string) => void;
  readonly onProgress?: (progress: WarmStartProgress) => void;
  readonly signal: AbortSignal;
}

/** @throws {FolderLockedError} Another process makes it or trains in the parent folder. */
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
  { from, settings = judgmentOfTask(task), onNote, onProgress, signal }: WarmStartOptions,
): Promise<WarmStart> {
  const given = from === undefined ? undefined : await givenStart(from);
  const lesson = given ? undefined : lessons(task);
  const { mistakes, examples, episodes } = lesson ?? NO_WARM_START;
  const { warmStartSeed: seed = 0 } = task;
  const identity: Identity = {
    ...{ ...evaluated(task), settings, examples, mistakes },
    ...(seed !== 0 && { warmStartSeed: seed }),
    ...ownSteps(task.env, lesson),
    ...(given && { weights: given.digest }),
  };
  const done = await readResult(folder);
  if (done && isSame(done.identity, identity)) return { ...done.result, ...(given && { weights: given.digest }) };
  // runs have begun from them: a start that is made again would not be theirs
  if (done?.identity.weights !== identity.weights && (done || given?.start === folder)) {
    throw new StartDiffersError(folder, done?.result.from, from);
  }
  const taught = done && isSame(done.identity, { ...identity, settings: done.identity.settings }) ? done : undefined;
  await rm(taught ? episodesOf(folder) : folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const { batchTokens, note } = await planPass(task, task.batchTokens);
  if (lesson && note && !taught) onNote?.(`warm start: ${note}`);
  const policy = await newPolicy(task, seed);
  try {
    const weights = taught ? weightsOf(folder) : given?.folder;
    if (weights !== undefined) await policy.load(weights, { weightsOnly: true });
    const started = performance.now();
    const splits = splitsOf(task);
    const met = taught ? await SeenTasks.read(tasksOf(folder)) : new SeenTasks(given?.met);
    const isKnown = !given || given.met !== undefined;
    const makeEnv = met.watching(environment(task, splits.train));
    if (lesson && !taught) await checkTeacher(task.env, makeEnv);
    const loss =
      taught?.result.loss ??
      (lesson ? await teach(policy, { ...lesson, makeEnv, batchTokens, seed, signal, onProgress }) : []);
    const seconds = taught?.result.seconds ?? (performance.now() - started) / 1000;
    if (!taught) await policy.save(weightsOf(folder));
    const { episodes: played, ...scores } = await evaluateOnFixedSeeds(task, policy, {
      settings,
      record: episodesOf(folder),
      signal,
    });
    signal.throwIfAborted();
    contentOf(splits, played, isKnown ? met : undefined);
    const seen = await evaluateOnSeenTasks(task, policy, met.list(), { settings, signal });
    signal.throwIfAborted();
    if (isKnown) met.appendTo(tasksOf(folder));
    const result: WarmStart = {
      ...(episodes !== undefined && { labeledEpisodes: episodes }),
      mistakes,
      examples,
      seconds,
      ...(isKnown && !met.hasGaps && { tasks: met.size }),
      ...(given && { from: from!, weights: given.digest }),
      before: outcomesOf(played),
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

const NO_WARM_START = { mistakes: 0, examples: 0, episodes: undefined };

/** The steps of a lesson, where they differ from what the environment declares. */
function ownSteps(env: string, lesson: WarmStartPlan | undefined): Pick<Identity, 'learningRate' | 'batch'> {
  const { warmStart } = settingsOf(env);
  if (warmStart.teacher === 'none' || !lesson) return {};
  const { learningRate, batch } = lesson;
  return {
    ...(learningRate !== warmStart.learningRate && { learningRate }),
    ...(batch !== warmStart.batch && { batch }),
  };
}

/** The labels of a warm start need an expert, and a dialogue that says what it does. */
export class NoTeacherError extends GymError {
  constructor(env: string) {
    super(`${env} has no expert to write the labels of a warm start.`, {
      code: 'NO_TEACHER',
      value: env,
      expected: '`oracle` or `expert`, and `dialogue.demonstrate`',
      hint: '--warm-start none trains without one (add --constrain json if the model does not write actions yet); --start FOLDER starts from weights',
    });
  }
}

async function checkTeacher(id: string, makeEnv: () => Promise<AnyEnv>): Promise<void> {
  const env = await makeEnv();
  try {
    const hasExpert = env.expert !== undefined || env.oracle !== undefined;
    if (!hasExpert || !env.dialogue?.demonstrate) throw new NoTeacherError(id);
  } finally {
    await env.close();
  }
}

export interface Lessons extends WarmStartPlan {
  readonly makeEnv: () => Promise<AnyEnv>;
  readonly seed: number;
  /** Tokens of a forward pass, padding included. */
  readonly batchTokens: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: WarmStartProgress) => void) | undefined;
}

/** Supervised learning on the labels of a lesson. @returns the loss over examples. */
export async function teach(
  policy: WarmStartPolicy,
  { makeEnv, examples, mistakes, episodes, batch, learningRate, batchTokens, seed, signal, onProgress }: Lessons,
): Promise<(readonly [number, number])[]> {
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
    batchTokens,
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

/** Scores of the start weights, where a warm start of the same task, judged in the same way, has left them in the folder. */
export async function scoresOfStart(
  task: CompleteTask,
  folder: string,
  settings: EvaluationSettings,
): Promise<Scores | undefined> {
  const found = await readResult(folder);
  if (!found) return undefined;
  const {
    examples: _,
    mistakes: __,
    warmStartSeed: ___,
    learningRate: ____,
    batch: _____,
    weights,
    ...of
  } = found.identity;
  return isSame(of, { ...evaluated(task), settings }) ? found.result.scores : undefined;
}

async function readResult(folder: string): Promise<{ identity: Identity; result: WarmStart } | undefined> {
  // missing, or torn by a kill: it is made again
  return (await jsonIn(join(folder, 'result.json'))) as { identity: Identity; result: WarmStart } | undefined;
}

/** Compares data that was read from JSON with data that was not. */
const isSame = (read: unknown, made: unknown) => isDeepStrictEqual(read, JSON.parse(JSON.stringify(made)));
