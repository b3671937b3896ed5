/** Where a catalog goes: checked before hours of work, and never anything of the user's in its place. */
import { lstat, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { GymError } from '@vlgym/core';

/** Something is where the catalog should go. Nothing of it was touched. */
export class FolderTakenError extends GymError {
  constructor(
    readonly folder: string,
    what: string,
    { hint = 'choose another folder, or remove this one first', cause }: { hint?: string; cause?: unknown } = {},
  ) {
    super(`${folder} ${what}.`, {
      code: 'FOLDER_EXISTS',
      value: folder,
      expected: 'a folder that is new or empty',
      hint,
      cause,
    });
  }
}

/**
 * The whole path of a folder that is new or empty, links followed.
 *
 * @throws {FolderTakenError}  It is a file, has something in it, or cannot be replaced: the current folder, a volume.
 */
export async function freeFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const there = await lstat(path).catch(nothingWhereAbsent);
  if (!there) return path;
  let real: string;
  let names: string[];
  try {
    real = await realpath(path);
    names = await readdir(real);
  } catch (cause) {
    throw new FolderTakenError(path, 'is no folder that can be read', { cause });
  }
  if (names.length > 0) throw new FolderTakenError(path, 'is not empty');
  const hint = 'name a folder inside it';
  if (isAround(real, process.cwd())) throw new FolderTakenError(path, 'is the current folder or around it', { hint });
  // a volume's root can be neither removed nor renamed onto
  const [own, parent] = await Promise.all([stat(real), stat(dirname(real))]);
  if (own.dev !== parent.dev) throw new FolderTakenError(path, 'is the root of a volume', { hint });
  return real;
}

function isAround(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return !isAbsolute(way) && way.split(/[\\/]/, 1)[0] !== '..';
}

/** Moves a finished folder to its place. @throws {FolderTakenError} Something has come there meanwhile. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  try {
    // a rename alone replaces an empty folder, but not on Windows; `rmdir` spares what has something in it
    await rmdir(to).catch(nothingWhereAbsent);
    await rename(from, to);
  } catch (cause) {
    if (!TAKEN.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    throw new FolderTakenError(to, 'has got something in it meanwhile', { cause });
  }
}

const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

function nothingWhereAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** Beside `folder`: what this process has written so far. The machine is named, since a volume may be shared. */
export function partFolder(folder: string): string {
  return `${folder}${PART}${process.pid}`;
}

const PART = `.part-${hostname()}-`;

/** Removes what processes of this machine that are no more have begun. */
export async function removeStaleParts(folder: string): Promise<void> {
  const home = dirname(folder);
  const start = `${basename(folder)}${PART}`;
  for (const name of (await readdir(home).catch(nothingWhereAbsent)) ?? []) {
    const owner = name.startsWith(start) ? name.slice(start.length) : '';
    if (/^[1-9]\d*$/.test(owner) && !isAlive(Number(owner)))
      await rm(join(home, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // somebody else's process is alive, too
  }
}
