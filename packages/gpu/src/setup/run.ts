/** Starting programs, line by line. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface RunResult {
  readonly code: number;
  /** Standard output and standard error in the order they came. */
  readonly log: string;
}

/** Runs a program to its end. `onLine` sees every line as it comes; a program that cannot start has code -1. */
export function run(
  program: string,
  args: readonly string[],
  { onLine, env = process.env }: { onLine?: (line: string) => void; env?: NodeJS.ProcessEnv } = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    let rest = '';
    const take = (chunk: Buffer) => {
      const text = chunk.toString();
      log += text;
      const lines = (rest + text).split(/[\r\n]+/);
      rest = lines.pop() ?? '';
      for (const line of lines) if (line) onLine?.(line);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: -1, log: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? -1, log }));
  });
}

/** The first of `names` on the path. */
export function which(names: readonly string[], environment: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const name of names) {
    for (const folder of name.includes('/') ? [''] : (environment.PATH ?? '').split(delimiter)) {
      const path = folder ? join(folder, name) : name;
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}
