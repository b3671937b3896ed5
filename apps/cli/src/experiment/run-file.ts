/** `run.json` of a run's folder: what was typed, and what is in force. */
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { isRecord, writeFileAtomic } from '@vlgym/core/internal';
import { jsonIn } from '../folders/text-file.js';
import { effectiveConfig, typedConfig } from './settings/effective-config.js';
import type { RunPlan } from './spec.js';

const RUN_FILE = 'run.json';

export const writeRunFile = (plan: RunPlan): Promise<void> =>
  writeFileAtomic(
    join(plan.folder, RUN_FILE),
    JSON.stringify({ typed: typedConfig(plan), effective: effectiveConfig(plan) }, null, 2),
  );

/**
 * The settings of the run in a folder.
 *
 * @returns `undefined` for a folder without a run, or one that a kill has torn.
 * @throws {GymError} `RUN_FORMAT`: the file of another program, or of an earlier version.
 */
export async function readRunFile(folder: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = await jsonIn(join(folder, RUN_FILE));
  if (found === undefined) return undefined;
  if (isRecord(found) && isRecord(found.effective)) return found.effective;
  throw new GymError(`${join(folder, RUN_FILE)} does not say what was in force in its run.`, {
    code: 'RUN_FORMAT',
    value: isRecord(found) ? Object.keys(found).slice(0, 5) : found,
    expected: 'the fields `typed` and `effective`',
    hint: 'it is of an earlier version of vlgym, or of another program; train into another folder',
  });
}
