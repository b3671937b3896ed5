/** Whether somebody still writes into a folder, from the claims and the progress that its process leaves. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAbandoned, type ProcessIdentity, stateOf } from '@vlgym/core/internal';
import { jsonFile } from './json-file.js';
import { number, record, text } from './values.js';

/** Milliseconds after which a process of another machine that writes no progress counts as gone. */
const SILENCE = 120_000;
/** Progress of a benchmark lies at most this far above its runs. */
const LEVELS = 3;

/** @param purpose  That of the lock: `run` or `episodes`. */
export async function isHeld(folder: string, purpose: string): Promise<boolean> {
  const claims = await readdir(join(folder, `.${purpose}.lock`)).catch(() => []);
  return claims.length > 0 && !(await isAbandoned(folder, purpose));
}

export interface FoundProgress {
  readonly command?: string;
  readonly running: boolean;
}

/** `progress.json` of the folder, or of the benchmark that it is a part of. */
export async function progressOf(folder: string): Promise<FoundProgress | undefined> {
  let at = folder;
  for (let level = 0; level < LEVELS; level += 1) {
    const found = record(await jsonFile(join(at, 'progress.json')));
    const { pid, host } = record(found.process);
    if (number(pid) !== undefined && text(host) !== undefined) {
      const state = await stateOf(found.process as ProcessIdentity);
      const recent = Date.now() - (number(found.writtenAt) ?? 0) < SILENCE;
      const command = text(found.command);
      const running = state === 'alive' || (state === 'unknown' && recent);
      return { running, ...(command !== undefined && { command }) };
    }
    at = dirname(at);
  }
  return undefined;
}
