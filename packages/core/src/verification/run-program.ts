/** Runs a program to its end, with everything it starts, and hands its output on line by line. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { checkNames, names } from '../options.js';

/** Whether a child can lead a process group, so that all its processes can be killed together. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Kills a child and what it has started. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

export interface Ran {
  /** -1 if the program could not be started or was killed. */
  readonly code: number;
  /** Everything it wrote. */
  readonly log: string;
}

export interface RunProgramOptions {
  readonly onLine?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const RUN_PROGRAM_OPTIONS = names<RunProgramOptions>({ onLine: 0, signal: 0 });

/** @throws  The signal's reason. */
export async function runProgram(program: string, args: readonly string[], options: RunProgramOptions): Promise<Ran> {
  checkNames('options', options, RUN_PROGRAM_OPTIONS);

  const { onLine, signal } = options;
  signal?.throwIfAborted();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS, windowsHide: true });
  const stop = () => endGroup(child);
  signal?.addEventListener('abort', stop);
  let log = '';
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      log += `${line}\n`;
      onLine?.(line);
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      log += `${error.message}\n`;
      resolve(-1);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? -1));
  });
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  return { code, log };
}
