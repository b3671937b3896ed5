/**
 * `--view`: the page of `vlgym view` beside a command. It is a process of its own, so that the command never waits for
 * it, and stays open after the command is done.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { z } from 'zod';
import { dim } from './style.js';

export const viewOption = {
  view: z.boolean().default(false).describe('open the page of `vlgym view` meanwhile; it stays until Ctrl-C'),
};

interface Around {
  readonly signal: AbortSignal;
  readonly stderr: NodeJS.WritableStream;
}

/** @param folder  To look at; made if it is missing. */
export async function whileViewing<T>(
  isAsked: boolean,
  folder: string,
  { signal, stderr }: Around,
  work: () => Promise<T>,
): Promise<T> {
  if (!isAsked) return work();
  await mkdir(folder, { recursive: true });
  const page = spawn(process.execPath, [process.argv[1]!, 'view', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  page.stdout?.on('data', (text: Buffer) => void stderr.write(text));
  // the command goes on without its page
  page.on('error', (error) => void stderr.write(`--view: ${error.message}\n`));
  try {
    const result = await work();
    await untilClosed(page, signal, stderr);
    return result;
  } finally {
    page.kill('SIGTERM');
  }
}

async function untilClosed(page: ChildProcess, signal: AbortSignal, stderr: NodeJS.WritableStream): Promise<void> {
  if (signal.aborted || page.exitCode !== null || page.signalCode !== null || page.pid === undefined) return;
  stderr.write(`${dim('the page stays open; Ctrl-C ends it')}\n`);
  // the work is done: Ctrl-C closes the page, and there is nothing to stop or to continue
  const others = process.listeners('SIGINT');
  const pressed = new AbortController();
  const close = () => pressed.abort();
  process.removeAllListeners('SIGINT').on('SIGINT', close);
  await once(page, 'close', { signal: AbortSignal.any([signal, pressed.signal]) }).catch(() => {});
  process.off('SIGINT', close);
  for (const other of others) process.on('SIGINT', other);
}
