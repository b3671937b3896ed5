/** Files of strangers: regular ones alone, bounded, and never waited for. */

import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { GymError } from '../errors.js';
import { builtin } from './builtin.js';

/** Not a regular file (a pipe, a device, a folder), or far too large. */
export class NotReadableFileError extends GymError {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`"${path}" cannot be read: ${problem}.`, {
      code: 'FILE_NOT_READABLE',
      value: path,
      expected: 'a regular file',
      hint: 'copy the file again',
    });
  }
}

/** The part of Node's `FileHandle` that other packages need: declarations must not name types of Node. */
export interface RegularFile {
  stat(): Promise<{ readonly size: number }>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** `openRegularHandle` for other packages. */
export function openRegularFile(path: string): Promise<RegularFile> {
  return openRegularHandle(path);
}

/**
 * Opens a regular file to read. Opening a named pipe would wait for its writer.
 *
 * @throws {NotReadableFileError} It is not a regular file. @throws errors of the system, e.g. ENOENT.
 */
export async function openRegularHandle(path: string): Promise<FileHandle> {
  const { constants } = builtin('node:fs');
  const file = await builtin('node:fs/promises').open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The bytes of a regular file; one that grows while it is read ends at the size that it had.
 *
 * @param maxBytes  Limit on its size.
 * @throws {NotReadableFileError} It is not a regular file, or larger. @throws errors of the system, e.g. ENOENT.
 */
export async function readRegularBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await openRegularHandle(path);
  try {
    const { size } = check(path, await file.stat(), maxBytes);
    const bytes = new Uint8Array(size);
    let end = 0;
    while (end < size) {
      const { bytesRead } = await file.read(bytes, end, size - end, end);
      if (bytesRead === 0) break;
      end += bytesRead;
    }
    return bytes.subarray(0, end);
  } finally {
    await file.close();
  }
}

/** The same as text. */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readRegularBytes(path, maxBytes));
}

/** The same; `undefined` for a missing file. */
export async function readRegularFileIfAny(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    return await readRegularFile(path, maxBytes);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The same as an open descriptor, at once; the caller closes it. */
export function openRegularFileSync(path: string, maxBytes = Number.POSITIVE_INFINITY): number {
  const { closeSync, constants, fstatSync, openSync } = builtin('node:fs');
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(path, fstatSync(file), maxBytes);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** `readRegularBytes`, at once. */
export function readRegularBytesSync(path: string, maxBytes: number): Uint8Array {
  const { closeSync, readFileSync } = builtin('node:fs');
  const file = openRegularFileSync(path, maxBytes);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function check(path: string, status: Stats, maxBytes = Number.POSITIVE_INFINITY): Stats {
  if (!status.isFile()) throw new NotReadableFileError(path, 'it is not a regular file');
  const { size } = status;
  if (size > maxBytes) throw new NotReadableFileError(path, `it has ${size} bytes, more than ${maxBytes}`);
  return status;
}
