/** Where a command may write: never over what a run or a recording holds. */
import { basename, join } from 'node:path';
import { UsageError } from '../command-line/usage-error.js';
import { exists } from './place.js';

/** Files that runs, recordings, warm starts and policies keep; nothing can make them again. */
const KEPT = /^(episodes.*\.jsonl|(result|run|policy|config|cells|transfer)\.json|metrics\.jsonl)$/;

/** @throws {UsageError} A run or a recording has this file. */
export async function checkOutputFile(option: string, path: string): Promise<void> {
  if (KEPT.test(basename(path)) && (await exists(path))) throw new OutputInUseError(option, path);
}

/** @throws {UsageError} The folder is that of a run or a recording. */
export async function checkOutputFolder(option: string, path: string): Promise<void> {
  const inUse = await Promise.all(['run.json', 'episodes.jsonl'].map((name) => exists(join(path, name))));
  if (inUse.includes(true)) throw new OutputInUseError(option, path);
}

class OutputInUseError extends UsageError {
  constructor(option: string, path: string) {
    super(`${option} ${path} would replace a part of a run or a recording.`, {
      expected: 'a path of its own',
      hint: 'choose another name; remove the old one first if it is not needed',
    });
  }
}
