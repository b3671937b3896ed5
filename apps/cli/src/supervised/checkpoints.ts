/** Checkpoints of a supervised run: weights in a new folder, then a file with its name. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError, show, writeFileAtomic } from '@vlgym/core';
import type { Policy } from '@vlgym/rl';
import { textIn } from '../folders/text-file.js';

const FILE = 'sft.json';

export interface SftState {
  /** Optimizer steps done. */
  readonly step: number;
  /** The settings that identify a run. */
  readonly identity: Readonly<Record<string, unknown>>;
}

/** The folder holds a run with other choices or other data. */
class SftRunDiffersError extends GymError {
  constructor(folder: string, key: string, found: unknown, wanted: unknown) {
    super(`The run in ${folder} was made with ${key} ${show(found)}, not ${show(wanted)}.`, {
      code: 'RUN_DIFFERS',
      value: found,
      expected: `${key} ${show(wanted)}`,
      hint: 'give the same options and data as before, or another --out',
    });
  }
}

/** The folder holds a run. */
class SftFolderInUseError extends GymError {
  constructor(folder: string) {
    super(`${folder} has a supervised run.`, {
      code: 'FOLDER_IN_USE',
      value: folder,
      hint: 'continue it with --resume, or give another --out',
    });
  }
}

const weightsAt = (folder: string, step: number) => join(folder, `checkpoint-${step}`);

export async function saveSft(folder: string, policy: Policy, state: SftState): Promise<void> {
  await policy.save(weightsAt(folder, state.step));
  await writeFileAtomic(join(folder, FILE), JSON.stringify(state));
  await dropOthers(folder, state.step);
}

/**
 * Puts the weights of the last checkpoint into the policy.
 *
 * @returns the steps that are done; 0 where nothing was saved yet.
 * @throws {SftFolderInUseError} There is a run, and it is not to be continued.
 * @throws {SftRunDiffersError}  It was made otherwise.
 */
export async function resumeSft(
  folder: string,
  policy: Policy,
  { identity, resume }: Pick<SftState, 'identity'> & { readonly resume: boolean },
): Promise<number> {
  const text = await textIn(join(folder, FILE));
  if (text === undefined) return 0;
  if (!resume) throw new SftFolderInUseError(folder);
  const { step, identity: found } = JSON.parse(text) as SftState;
  for (const [key, value] of Object.entries(identity)) {
    if (JSON.stringify(found[key]) !== JSON.stringify(value)) {
      throw new SftRunDiffersError(folder, key, found[key], value);
    }
  }
  await policy.load(weightsAt(folder, step));
  return step;
}

async function dropOthers(folder: string, step: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/^checkpoint-\d+$/.test(name) && name !== `checkpoint-${step}`) {
      await rm(join(folder, name), { recursive: true });
    }
  }
}
