/** Runs a program to its end and reports its output line by line. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { endGroup, HAS_GROUPS } from './end-group.js';

export interface RunOptions {
  readonly onLine?: ((line: string) => void) | undefined;
  /** Kills the program and its children. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * @returns Exit code (-1 if the program could not be started or was killed), and everything it wrote.
 * @throws  The signal's reason.
 */
export async function run(
  program: string,
  args: readonly string[],
  { onLine, signal }: RunOptions = {},
): Promise<{ readonly code: number; readonly log: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS, windowsHide: true });
  const stop = () => endGroup(child);
  signal?.addEventListener('abort', stop);
  const both = new PassThrough();
  child.stdout.pipe(both, { end: false });
  child.stderr.pipe(both, { end: false });
  const ended = new Promise<number>((resolve) => {
    let code = -1;
    child.on('exit', (exitCode) => {
      code = exitCode ?? -1;
    });
    child.on('error', (error) => both.write(`${error.message}\n`));
    child.on('close', () => {
      both.end();
      resolve(code);
    });
  });
  let log = '';
  for await (const line of createInterface({ input: both })) {
    log += `${line}\n`;
    onLine?.(line);
  }
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  return { code: await ended, log };
}
