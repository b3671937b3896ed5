/** `result.json` of a run: there when the run is finished. */
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import { jsonIn } from '../folders/text-file.js';
import type { RunResult } from '../report/data.js';
import type { RunEvaluations } from './evaluation/run-evaluations.js';
import type { RunSpec } from './spec.js';

export const RESULT = 'result.json';

/** The result in a run's folder, if the run is finished; a folder may have been moved since. */
export async function readRunResult(folder: string): Promise<RunResult | undefined> {
  const result = (await jsonIn(join(folder, RESULT))) as RunResult | undefined;
  return result && { ...result, folder };
}

export async function writeRunResult(result: RunResult): Promise<void> {
  await writeFileAtomic(join(result.folder, RESULT), JSON.stringify(result));
}

/** Nothing that the plan asks for is left to do. */
export const isComplete = (result: RunResult, { pictures }: Pick<RunSpec, 'pictures'>): boolean =>
  !pictures || result.pictures !== undefined;

/** Adds the evaluations with other pictures if the plan asks for them, and writes the result. */
export async function completed(
  result: RunResult,
  plan: Pick<RunSpec, 'pictures'>,
  evaluations: RunEvaluations,
  signal: AbortSignal,
): Promise<RunResult> {
  if (isComplete(result, plan)) return result;
  const complete = { ...result, pictures: await evaluations.pictures(signal) };
  signal.throwIfAborted();
  await writeRunResult(complete);
  return complete;
}
