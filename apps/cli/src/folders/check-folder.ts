/** A folder that a command looks through. */
import { stat } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.js';

/** @param hint  Where to find one. @throws {UsageError} There is none. */
export async function checkFolder(path: string, hint = 'vlgym train and vlgym bench write into runs'): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new UsageError(`${path} ${found ? 'is not a folder' : 'does not exist'}.`, {
    expected: 'a run, a recording, a suite, a benchmark, or a folder of them',
    hint,
  });
}
