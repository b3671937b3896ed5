/** Files of strangers: regular ones alone, bounded, and never waited for. */

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

/**
 * The text of a regular file. Opening a named pipe would wait for its writer; a file that grows while it is read
 * ends at the limit.
 *
 * @param maxBytes  Limit on its size.
 * @throws {NotReadableFileError} It is not a regular file, or larger. @throws errors of the system, e.g. ENOENT.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  const { constants } = builtin('node:fs');
  const { open } = builtin('node:fs/promises');
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new NotReadableFileError(path, 'it is not a regular file');
    const { size } = status;
    if (size > maxBytes) throw new NotReadableFileError(path, `it has ${size} bytes, more than ${maxBytes}`);
    const bytes = new Uint8Array(size);
    let end = 0;
    while (end < size) {
      const { bytesRead } = await file.read(bytes, end, size - end, end);
      if (bytesRead === 0) break;
      end += bytesRead;
    }
    return new TextDecoder().decode(bytes.subarray(0, end));
  } finally {
    await file.close();
  }
}
