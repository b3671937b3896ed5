/** Runs a launcher's own command in the terminal of the user. */
import { spawn } from 'node:child_process';
import { GymError } from '@vlgym/core';

/** The launcher is not installed here. */
class LauncherMissingError extends GymError {
  constructor(tool: string, folder: string, cause: unknown) {
    super(`${tool} is not installed on this machine.`, {
      code: 'LAUNCHER_MISSING',
      value: tool,
      expected: `${tool} on the PATH`,
      hint: `the files are in ${folder}: run the command above where ${tool} is`,
      cause,
    });
  }
}

/** @returns its exit code. @throws {LauncherMissingError} */
export function runTool(
  [tool, ...words]: readonly [string, ...string[]],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(tool, words, { cwd, stdio: 'inherit' });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'ENOENT' ? new LauncherMissingError(tool, cwd, cause) : cause),
    );
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code);
    });
  });
}
