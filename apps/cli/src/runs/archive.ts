/**
 * Runs in one file: `.tar.gz`, as every `tar` reads it. It is read as a stranger's:
 * regular files and folders only, below the folder that is given, and no more bytes and entries than its size allows for.
 */
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { GymError } from '@vlgym/core';
import { AtomicFile } from '@vlgym/core/internal';
import tar from 'tar-fs';

/** JSON Lines shrink to a tenth or less; pictures not at all. */
const MAX_GROWTH = 200;
const FREE_BYTES = 2 ** 30;
/** A header of 512 bytes shrinks to a fortieth or less where names differ. */
const BYTES_PER_ENTRY = 12;
const FREE_ENTRIES = 10_000;
/** Claims of processes and temporary files are no part of a run. */
const LEFT_OUT = /^(?:\..+\.lock|\.tmp-.*)$/;

/** The file is damaged, or far larger than it says. */
export class ArchiveError extends GymError {
  constructor(path: string, problem: string, cause?: unknown) {
    super(`${path} cannot be opened: ${problem}.`, {
      code: 'ARCHIVE_DAMAGED',
      value: path,
      expected: 'a file that `vlgym runs archive` wrote',
      hint: 'copy it again, or look at its name',
      cause,
    });
  }
}

/** @param folders  Below `root`; names in the file are relative to that. @returns bytes of the file. */
export async function writeArchive(path: string, root: string, folders: readonly string[]): Promise<number> {
  const file = await AtomicFile.create(resolve(path));
  const output = new Writable({
    write: (chunk: Buffer, _, done) => void file.write(chunk).then(() => done(), done),
  });
  try {
    const entries = folders.map((folder) => relative(root, folder) || '.');
    const files = tar.pack(root, { entries, ignore: (name) => LEFT_OUT.test(basename(name)) });
    await pipeline(files, createGzip(), output);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
  return (await stat(path)).size;
}

/**
 * @param folder       To write into; made if missing.
 * @param freeEntries  Files and folders that an archive of any size may hold.
 * @throws {ArchiveError}
 */
export async function openArchive(path: string, folder: string, freeEntries = FREE_ENTRIES): Promise<void> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new ArchiveError(path, 'it does not exist', cause);
  });
  // a pipe would be waited for
  if (!status.isFile()) throw new ArchiveError(path, 'it is not a regular file');
  const { size } = status;
  const limit = size * MAX_GROWTH + FREE_BYTES;
  const mostEntries = freeEntries + Math.floor(size / BYTES_PER_ENTRY);
  let bytes = 0;
  let entries = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done(bytes > limit ? new Error(`it holds more than ${limit} bytes`) : null, chunk);
    },
  });
  await mkdir(folder, { recursive: true });
  const files = tar.extract(folder, {
    ignore: (_, header) => header?.type !== 'file' && header?.type !== 'directory',
    // called for each entry before it is written; what it throws would not reach the pipeline
    map(header) {
      entries += 1;
      if (entries > mostEntries) files.destroy(new Error(`it holds more than ${mostEntries} files and folders`));
      return header;
    },
    dmode: 0o700,
    fmode: 0o600,
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), counted, files);
  } catch (cause) {
    throw new ArchiveError(path, (cause as Error).message, cause);
  }
}
