/**
 * Shared by the tests of the bridge: an interpreter that fails on command, games for it, a test that it is gone, and time
 * that passes when a test says so.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { Deadline } from '../src/python/deadline.js';

export const FAKE_PYTHON = fileURLToPath(new URL('./fake-python.mjs', import.meta.url));
/** Also makes virtual environments and has pip. */
export const FAKE_INSTALLER = fileURLToPath(new URL('./fake-installer.mjs', import.meta.url));

/** Three files that exist but are never read. */
export function writeFakeGames(folder: string): string[] {
  const games = ['first', 'second', 'third'].map((name) => join(folder, name, 'game.tw-pddl'));
  for (const game of games) {
    mkdirSync(dirname(game));
    writeFileSync(game, '{}');
  }
  return games;
}

/** Whether a process is gone, not even a zombie. */
export function isGone(id: number): boolean {
  try {
    return !process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** From now on `vi.advanceTimersByTime` alone lets time pass: a busy machine exceeds no limit. `vi.useRealTimers` ends it. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}

/** Lets time pass in pieces, each after another sign of life. */
export async function passTimeAlive(pieces: readonly number[]): Promise<void> {
  const alive = vi.spyOn(Deadline.prototype, 'alive');
  for (const piece of pieces) {
    const signs = alive.mock.calls.length;
    while (alive.mock.calls.length === signs) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(piece);
  }
  alive.mockRestore();
}
