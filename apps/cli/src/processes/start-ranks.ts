/**
 * Starts the processes of one run on this machine and waits for them. Each runs the command that was typed, with the
 * variables of torchrun; the first speaks to the terminal.
 *
 * A rank that ends badly ends the run: the others detect it (`PROCESS_GROUP_FAILED`), and are ended after a while
 * if they do not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { RANK_LOST } from '../command-line/exit-codes.js';
import { resumeCommand } from '../terminal/command-line.js';
import { yellow } from '../terminal/style.js';

/** Time for the other ranks to exit before they are killed. */
const GRACE_MS = 20_000;
const LOOPBACK = '127.0.0.1';

interface RankOptions {
  readonly signal: AbortSignal;
  readonly stderr: NodeJS.WriteStream;
}

/** @returns the exit code: 0 when all ranks are done, 75 when one was lost, otherwise that of the first that failed. */
export async function startRanks(size: number, { signal, stderr }: RankOptions): Promise<number> {
  const port = await freePort();
  signal.throwIfAborted();
  const threads = process.env.VLGYM_NUM_THREADS ?? String(Math.max(1, Math.floor(availableParallelism() / size)));
  const ranks = Array.from({ length: size }, (_, rank) => {
    const child = spawn(process.execPath, process.argv.slice(1), {
      stdio: rank === 0 ? 'inherit' : ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        ...{ RANK: String(rank), LOCAL_RANK: String(rank), WORLD_SIZE: String(size), LOCAL_WORLD_SIZE: String(size) },
        ...{ MASTER_ADDR: LOOPBACK, MASTER_PORT: String(port), VLGYM_NUM_THREADS: threads },
      },
    });
    if (child.stderr) tell(child, rank, stderr);
    return child;
  });
  // Ctrl-C reaches all of them through the terminal; a signal to this process alone is passed on
  const stop = () => end(ranks, 'SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await outcome(ranks, signal, stderr);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function outcome(
  ranks: readonly ChildProcess[],
  signal: AbortSignal,
  stderr: NodeJS.WriteStream,
): Promise<number> {
  let first: number | undefined;
  let grace: NodeJS.Timeout | undefined;
  await Promise.all(
    ranks.map(async (child, rank) => {
      const [code, killed] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      if (code === 0 || first !== undefined) return;
      first = killed ? RANK_LOST : (code ?? 1);
      grace = setTimeout(() => end(ranks, 'SIGKILL'), GRACE_MS);
      if (signal.aborted || first !== RANK_LOST) return;
      const how = killed ? `was ended by ${killed}` : 'lost the others';
      stderr.write(`${yellow('stopped')} rank ${rank} ${how}; continue with: ${resumeCommand()}\n`);
    }),
  );
  clearTimeout(grace);
  return first ?? 0;
}

function end(ranks: readonly ChildProcess[], how: NodeJS.Signals): void {
  for (const child of ranks) if (child.exitCode === null && child.signalCode === null) child.kill(how);
}

/** Other ranks say something only when they fail. */
function tell(child: ChildProcess, rank: number, stderr: NodeJS.WriteStream): void {
  createInterface({ input: child.stderr! }).on('line', (line) => stderr.write(`rank ${rank}: ${line}\n`));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}
