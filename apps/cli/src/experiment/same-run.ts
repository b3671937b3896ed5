/** A folder holds one run: a run with other choices is refused there. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GymError, show } from '@vlgym/core';
import { FolderInUseError } from '@vlgym/rl';
import type { CommonConfig } from '@vlgym/rl/config';
import { runControl } from './controls/index.js';
import { judgmentOf } from './evaluation/judgment.js';
import { readRunFile } from './run-file.js';
import { algorithmOf } from './run-options.js';
import { RESULT, readRunResult } from './run-result.js';
import { completeTask } from './settings/settings.js';
import type { RunPlan } from './spec.js';
import { lessonsOf } from './warm-start/lessons.js';

/** Choices that make one run differ from another; threads and folders do not. */
const IDENTITY = [
  'algorithm',
  'replicate',
  'env',
  'envOptions',
  'phases',
  'model',
  'loraRank',
  'dtype',
  'samplerDtype',
  'autocast',
  'promptCache',
  'warmStartPlan',
  'warmStartExamples',
  'warmStartMistakes',
  'warmStartLearningRate',
  'warmStartBatch',
  'warmStartSeed',
  'stepsPerUpdate',
  'numEnvs',
  'maxStaleness',
  'evaluateEvery',
  'evaluationEpisodes',
  'evaluationFirstSeed',
  'evaluationTemperature',
  'evaluation',
  'constrain',
  'seed',
  'set',
  'control',
] as const;

/** The folder of a run holds another one. */
class RunDiffersError extends GymError {
  constructor(
    readonly folder: string,
    readonly option: string,
    found: unknown,
    wanted: unknown,
    hint = 'to continue it repeat its command, which its run.json has as `typed`; for other choices name another folder',
  ) {
    super(`The run in ${folder} was made with ${option} ${show(found)}, not ${show(wanted)}.`, {
      code: 'RUN_DIFFERS',
      value: found,
      expected: `${option} ${show(wanted)}`,
      hint,
    });
  }
}

/** @throws {FolderInUseError} The folder holds a run: found before minutes are spent on a warm start. */
export async function checkUnused(folder: string): Promise<void> {
  const hasResult = (await readRunResult(folder)) !== undefined;
  const hasMetrics = await stat(join(folder, 'metrics.jsonl')).then(
    ({ size }) => size > 0,
    () => false,
  );
  if (hasResult || hasMetrics) throw new FolderInUseError(folder);
}

/**
 * A run may continue for more updates than it was made with: nothing of the training of an algorithm depends on their number.
 *
 * @returns the updates that the run in the folder was made with, where the plan has more; else undefined.
 * @throws {RunDiffersError} The folder holds a run with other choices.
 * @throws {GymError} `RUN_FORMAT`: that of an earlier version.
 */
export async function checkSameRun(plan: RunPlan): Promise<number | undefined> {
  const task = completeTask(plan);
  const wanted: Record<string, unknown> = JSON.parse(
    JSON.stringify({ ...plan, ...task, warmStartPlan: lessonsOf(plan) ?? null, evaluation: judgmentOf(plan) }),
  );
  const found = await readRunFile(plan.folder);
  if (found === undefined) return undefined; // no run yet, or torn by a kill before anything else was written
  for (const key of IDENTITY) {
    if (!isDeepStrictEqual(found[key], wanted[key]))
      throw new RunDiffersError(plan.folder, key, found[key], wanted[key]);
  }
  const [before, updates] = [Number(found.updates), Number(wanted.updates)];
  if (before === updates) return undefined;
  const isImitation = plan.control !== undefined && runControl(plan.control).kind === 'imitation';
  if (isImitation) throw new RunDiffersError(plan.folder, 'updates', before, updates, IMITATION_HINT);
  if (!(before < updates)) throw new RunDiffersError(plan.folder, 'updates', before, updates, SHORTER_HINT);
  return before;
}

const IMITATION_HINT =
  'the learning rate of imitation falls over all of its updates, so that a longer run is another one: name another folder';
const SHORTER_HINT = 'a run can continue for more updates, not for fewer; its checkpoints hold earlier weights';

/** Makes a finished run one that is not: its result is written again after the updates that are added. */
export const reopen = (folder: string): Promise<void> => rm(join(folder, RESULT), { force: true });

/** How a run that continues compares with one that was made with all updates at once. */
export function longerNote(from: number, plan: RunPlan): string {
  const { updates, evaluateEvery, maxStaleness = 0 } = { ...plan, ...completeTask(plan) };
  const { optimizer } = algorithmOf(plan).config as { readonly optimizer: CommonConfig['optimizer'] };
  const { period, beyond, final } = optimizer.learningRate;
  const differences = [
    from % evaluateEvery !== 0 && `its curve has an evaluation more, at update ${from}`,
    maxStaleness > 0 && 'episodes are played by older weights in an order that no run repeats',
  ].filter((text) => text !== false);
  const equality = `as a run of ${updates} updates would${differences.map((text) => `; ${text}`).join('')}`;
  const ended = beyond === 'clamped' && from >= period;
  const rate = ended ? `. The learning rate has ended its schedule of ${period} updates and stays at ${final}` : '';
  return `continues from update ${from} to ${updates}, ${equality}${rate}`;
}
