/** Where runs were made: by which sources, on which hardware. */
import { execFile } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { BIN } from '../../bin.js';
import { VERSION } from '../../version.js';
import { cores } from '../resources.js';
import type { Machine } from './cells.js';

export async function thisMachine(): Promise<Machine> {
  return {
    vlgym: VERSION,
    commit: await commitOfSources(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cores(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** An installed package lies in a repository of its user, which does not track it. */
async function commitOfSources(): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: dirname(BIN) })).stdout.trim();
  try {
    await git('ls-files', '--error-unmatch', BIN);
    const changes = await git('status', '--porcelain', '--untracked-files=no');
    return `${await git('rev-parse', 'HEAD')}${changes === '' ? '' : '+changes'}`;
  } catch {
    return 'unknown';
  }
}
