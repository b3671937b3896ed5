/** The target folder of a catalog: checked before hours of work; files of the user are never overwritten. */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { FolderLockedError, GymError } from '@vlgym/core';
import { type FolderLock, isAbandoned, lockFolder } from '@vlgym/core/internal';

/** The target folder is not empty. It is unchanged. */
export class FolderTakenError extends GymError {
  constructor(
    readonly folder: string,
    what: string,
    { hint = 'choose another folder, or remove this one first', cause }: { hint?: string; cause?: unknown } = {},
  ) {
    super(`${folder} ${what}.`, {
      code: 'FOLDER_EXISTS',
      value: folder,
      expected: 'a new or empty folder',
      hint,
      cause,
    });
  }
}

/**
 * Returns the absolute path of a new or empty folder, with links resolved.
 *
 * @throws {FolderTakenError}  It is a file, is not empty, or cannot be replaced: the current folder, a volume.
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
    throw new FolderTakenError(path, 'is not a readable folder', { cause });
  }
  if (names.length > 0) throw new FolderTakenError(path, 'is not empty');
  const hint = 'name a folder inside it';
  if (isAround(real, process.cwd())) throw new FolderTakenError(path, 'is or contains the current folder', { hint });
  // The root of a volume can be neither removed nor replaced.
  const [target, parent] = await Promise.all([stat(real), stat(dirname(real))]);
  if (target.dev !== parent.dev) throw new FolderTakenError(path, 'is the root of a volume', { hint });
  return real;
}

function isAround(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return !isAbsolute(way) && way.split(/[\\/]/, 1)[0] !== '..';
}

/** Moves a finished folder into place. @throws {FolderTakenError} The target was filled in the meantime. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  try {
    // On Windows a rename does not replace an empty folder; `rmdir` removes empty folders only.
    await rmdir(to).catch(nothingWhereAbsent);
    await rename(from, to);
  } catch (cause) {
    if (!TAKEN.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    throw new FolderTakenError(to, 'was filled in the meantime', { cause });
  }
}

const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

function nothingWhereAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** A folder next to the target for unfinished work, owned by this process until it is released. */
export interface PartFolder {
  readonly path: string;
  readonly lock: FolderLock;
}

const PART = '.part-';
/** Purpose of the locks. */
const IMPORT = 'import';

export async function openPartFolder(folder: string): Promise<PartFolder> {
  const path = `${folder}${PART}${randomUUID()}`;
  return { path, lock: await lockFolder(path, IMPORT) };
}

/** Removes unfinished work of processes that are gone; volumes may be shared between machines. */
export async function removeStaleParts(folder: string): Promise<void> {
  const home = dirname(folder);
  const start = `${basename(folder)}${PART}`;
  for (const name of (await readdir(home).catch(nothingWhereAbsent)) ?? []) {
    if (!name.startsWith(start) || !UUID.test(name.slice(start.length))) continue;
    const part = join(home, name);
    // Read first: a claim written into a folder that its owner is opening or moving into place would disturb the owner.
    if (!(await isAbandoned(part, IMPORT))) continue;
    const lock = await lockFolder(part, IMPORT).catch((error: unknown) => {
      if (error instanceof FolderLockedError) return undefined; // another import removes it
      throw error;
    });
    if (!lock) continue;
    await rm(part, { recursive: true, force: true, maxRetries: 3 });
    await lock.release();
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
