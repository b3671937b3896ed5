/** Weights that all runs start from in place of a warm start: `--start` of benchmarks, sweeps and designs. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { weightsIn } from '../../folders/weights.js';
import { type SeenTask, SeenTasks, tasksOf } from '../task-separation/seen-tasks.js';

export interface GivenStart {
  /** The argument for `policy.load`. */
  readonly folder: string;
  /** The folder that it is in. */
  readonly start: string;
  /** SHA-256 of `policy.json`, which has the checksums of the weights. */
  readonly digest: string;
  /** Tasks that its training has met; absent if it has left no list. */
  readonly met?: readonly SeenTask[];
}

/** @throws {UsageError} As `weightsIn`. */
export async function givenStart(named: string): Promise<GivenStart> {
  const { folder, start } = await weightsIn(named);
  const manifest = await readFile(join(folder, 'policy.json'));
  const digest = createHash('sha256').update(manifest).digest('hex');
  const tasks = tasksOf(start);
  return { folder, start, digest, ...(existsSync(tasks) && { met: (await SeenTasks.read(tasks)).list() }) };
}

/** The runs of a folder have begun from other weights than are given now, or from a warm start. */
export class StartDiffersError extends GymError {
  constructor(folder: string, found: string | undefined, wanted: string | undefined) {
    const named = (start: string | undefined) => (start === undefined ? 'a warm start' : `the weights of ${start}`);
    super(`The runs beside ${folder} start from ${named(found)}, not from ${named(wanted)} as they are now.`, {
      code: 'START_DIFFERS',
      value: wanted,
      expected: named(found),
      hint: 'for another start name another folder',
    });
  }
}
