/** A folder holds one run: a run with other choices is refused there. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GymError, show } from '@vlgym/core';
import { FolderInUseError } from '@vlgym/rl';
import { judgmentOf } from './judgment.js';
import type { RunPlan } from './run.js';
import { readRunResult } from './run-result.js';
import { completeTask } from './settings.js';

/** Choices that make one run differ from another; threads and folders do not. */
const IDENTITY = [
  'algorithm',
  'replicate',
  'env',
  'envOptions',
  'model',
  'loraRank',
  'dtype',
  'samplerDtype',
  'warmStartExamples',
  'warmStartMistakes',
  'updates',
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
  ) {
    super(`The run in ${folder} was made with ${option} ${show(found)}, not ${show(wanted)}.`, {
      code: 'RUN_DIFFERS',
      value: found,
      expected: `${option} ${show(wanted)}`,
      hint: 'name another folder, or delete this one',
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

/** @throws {RunDiffersError} The folder holds a run with other choices. */
export async function checkSameRun(plan: RunPlan): Promise<void> {
  const wanted: Record<string, unknown> = JSON.parse(
    JSON.stringify({ ...plan, ...completeTask(plan), evaluation: judgmentOf(plan) }),
  );
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(await readFile(join(plan.folder, 'run.json'), 'utf8')) as Record<string, unknown>;
  } catch {
    return; // no run yet, or torn by a kill before anything else was written
  }
  for (const key of IDENTITY) {
    if (!isDeepStrictEqual(found[key], wanted[key]))
      throw new RunDiffersError(plan.folder, key, found[key], wanted[key]);
  }
}
