/**
 * One setup at a time per cache. The lock is a file naming its owner, touched every few seconds; one that its owner no
 * longer touches, or whose owner is dead, is taken over. Should two processes ever win together, the work is merely
 * done twice: results are moved into place whole.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

const TOUCH_MS = 5_000;
const STALE_MS = 60_000;
const POLL_MS = 250;

export async function withLock<T>(path: string, work: () => Promise<T>, onWait: () => void = () => {}): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  const owner = `${hostname()} ${process.pid}\n`;
  let waited = false;
  while (!take(path, owner)) {
    if (isStale(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const heartbeat = setInterval(() => touch(path), TOUCH_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (read(path) === owner) rmSync(path, { force: true });
  }
}

function take(path: string, owner: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, owner);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(path: string): boolean {
  const [host, pid] = (read(path) ?? '').trim().split(' ');
  try {
    if (Date.now() - statSync(path).mtimeMs > STALE_MS) return true;
  } catch {
    return false;
  }
  return host === hostname() && pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // taken over: the owner finishes its work all the same
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
