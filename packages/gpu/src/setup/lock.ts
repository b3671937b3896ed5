/**
 * One setup at a time per cache. The lock is a file that names its owner, touched every few seconds; a lock that is no
 * longer touched, or whose owner is dead, is taken over. If two processes ever take it together, the work is done twice
 * and nothing breaks: results are moved into place whole.
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
    // another process took it over; this one finishes its work anyway
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
