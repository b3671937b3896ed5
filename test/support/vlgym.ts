/** The built command line as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, requireBuild } from './workspaces.js';

const COMMAND = join(ROOT, 'apps/cli/bin/vlgym.js');

export interface CommandOptions {
  readonly cwd?: string;
  /** The typed input; it then ends. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called at once with the process, to stop it when something has happened. */
  readonly started?: (child: ChildProcess) => void;
  /** Called with what a training process tells the one that started it. Without it the channel does not exist. */
  readonly onMessage?: (message: { readonly type: string }, child: ChildProcess) => void;
}

export interface CommandResult {
  /** Exit code; `null` when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `vlgym` with these arguments, without color, to its end. */
export function vlgym(
  args: readonly string[],
  { cwd = ROOT, input = '', env = {}, started, onMessage }: CommandOptions = {},
): Promise<CommandResult> {
  requireBuild();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd,
      // vitest's own hooks and loaders stay out of the process
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe', ...(onMessage ? (['ipc'] as const) : [])],
    });
    child.on('message', (message) => onMessage?.(message as { type: string }, child));
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin?.end(input);
    started?.(child);
  });
}
