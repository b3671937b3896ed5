/** A child of an attack: runs to its end, or to the moment it is killed. */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/workspaces.js';
import { type ChildName, childPath } from './bundle.js';

export interface ChildOptions {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Modules to load first. */
  readonly preload?: readonly string[];
  /** Milliseconds until it is killed without warning. */
  readonly killAfter?: number;
  /** Called with all output so far; `true` kills it. */
  readonly killWhen?: (output: string) => boolean;
  /** Milliseconds until it is killed because it hangs; default one minute. */
  readonly timeout?: number;
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[];
}

export interface ChildResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
  readonly timedOut: boolean;
}

/** Runs a bundled child. */
export async function runChild(name: ChildName, options: ChildOptions): Promise<ChildResult> {
  return runScript(await childPath(name), options);
}

/** Runs any script with this Node. */
export function runScript(script: string, options: ChildOptions): Promise<ChildResult> {
  const { args, env = {}, preload = [], killAfter, killWhen, timeout = 60_000, nodeArgs = [] } = options;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const imports = preload.flatMap((path) => ['--import', pathToFileURL(path).href]);
    const child = spawn(process.execPath, [...nodeArgs, ...imports, script, ...args], {
      cwd: ROOT,
      // hooks and loaders of the process that attacks stay out
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', VLGYM_NUM_THREADS: '1', OMP_NUM_THREADS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr, timedOut] = ['', '', false];
    child.stdout.on('data', (data) => {
      stdout += data;
      if (killWhen?.(stdout)) child.kill('SIGKILL');
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const limit = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeout);
    const kill = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      clearTimeout(kill);
      resolve({ code, signal, stdout, stderr, milliseconds: performance.now() - started, timedOut });
    });
  });
}
