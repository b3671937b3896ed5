/** Shared by the tests of the bridge: an interpreter that fails on command, games for it, and a test that it is gone. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
