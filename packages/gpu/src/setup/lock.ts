/** One setup at a time per cache; others wait. The lock is that of `@vlgym/core`, which a killed setup does not keep. */
import { mkdir } from 'node:fs/promises';
import { FolderLockedError } from '@vlgym/core';
import { type FolderLock, lockFolder } from '@vlgym/core/internal';

const POLL_MS = 250;

/** @param onWait  Called once if another process has the lock. */
export async function withLock<T>(folder: string, work: () => Promise<T>, onWait: () => void = () => {}): Promise<T> {
  await mkdir(folder, { recursive: true });
  const lock = await waitFor(folder, onWait);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function waitFor(folder: string, onWait: () => void): Promise<FolderLock> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await lockFolder(folder, 'setup');
    } catch (error) {
      if (!(error instanceof FolderLockedError)) throw error;
    }
    if (tries === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
