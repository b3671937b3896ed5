/** Opens and closes a served environment from one Python program, and looks at what is left in both processes. Needs Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveGymnasium } from '../support/gymnasium-server.js';
import type { PythonPackage } from '../support/python-package.js';

/** Descriptors, threads and processes after the second round and after the last. */
export interface Left {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** @returns Whether there are more descriptors, threads or processes than at the start. */
export async function connects(python: PythonPackage, rounds: number, say: (line: string) => void): Promise<boolean> {
  const socket = join(python.folder, 'connects.sock');
  const { child, address, end } = await serveGymnasium(['vlgym/Blackjack-v1', '--socket', socket]);
  const server = () => {
    const count = (folder: string) => readdirSync(`/proc/${child.pid}/${folder}`).length;
    const [, kB] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))!;
    return { descriptors: count('fd'), threads: count('task'), MB: Math.round(Number(kB) / 1000) };
  };
  try {
    const begin = performance.now();
    const seen: ReturnType<typeof server>[] = [];
    let hasGrown = false;
    // the server is compared after each half, because its first connects load and compile
    for (const count of [Math.ceil(rounds / 2), Math.floor(rounds / 2)]) {
      const { before, after } = (await python.check('leaks', ['vlgym/Blackjack-v1', count, address])) as Left;
      seen.push(server());
      hasGrown ||= after.some((number, index) => number > before[index]!);
      say(`${count} connects: Python ${JSON.stringify({ before, after })}, server ${JSON.stringify(seen.at(-1))}`);
    }
    hasGrown ||= seen[1]!.descriptors > seen[0]!.descriptors || seen[1]!.threads > seen[0]!.threads;
    say(
      `${rounds} connects in ${((performance.now() - begin) / 1000).toFixed(1)} s: ${hasGrown ? 'grown' : 'no growth'}`,
    );
    return hasGrown;
  } finally {
    await end();
  }
}
