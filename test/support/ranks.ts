/** Starts the ranks of a test: processes that execute one script of this folder with the variables of torchrun. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freePort } from './free-port.js';

const folder = fileURLToPath(new URL('..', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly errors: string;
}

/** One process without a group, or one rank. */
export async function startScript(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['--import', tsx, join(folder, script), ...args], {
    stdio: 'pipe',
    env: { ...process.env, ...env },
  });
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  return { code, signal, output, errors } satisfies Ended;
}

/** @param argsOf  Arguments of each rank. */
export async function startRanks(
  size: number,
  script: string,
  argsOf: (rank: number) => readonly string[] = () => [],
): Promise<Ended[]> {
  const port = String(await freePort());
  const ranks = Array.from({ length: size }, (_, rank) =>
    startScript(script, argsOf(rank), {
      ...{ RANK: String(rank), WORLD_SIZE: String(size) },
      ...{ MASTER_ADDR: '127.0.0.1', MASTER_PORT: port },
    }),
  );
  return Promise.all(ranks);
}
