/** `vlgym serve … --protocol gymnasium` as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './workspaces.js';

export interface GymnasiumServer {
  readonly child: ChildProcess;
  /** The `connect` argument of `gymnasium.make`. */
  readonly address: string;
  /** Kills it. */
  end(): Promise<void>;
}

/** @param args  Ids and further arguments of the command. */
export async function serveGymnasium(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<GymnasiumServer> {
  const command = [join(ROOT, 'apps/cli/bin/vlgym.js'), 'serve', '--protocol', 'gymnasium', ...args];
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = / at (\S+)/.exec(line) ?? [];
    if (address) return { child, address, end };
  }
  throw new Error('The server has ended.');
}
