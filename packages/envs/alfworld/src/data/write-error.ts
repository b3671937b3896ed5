/** What goes wrong on the disk, told apart from what is wrong with an archive or a connection. */
import { GymError } from '@vlgym/core';

/** A file that cannot be written: the disk is full, a folder is in its place, its path is too long. */
export class WriteError extends GymError {
  constructor(
    readonly file: string,
    cause: unknown,
  ) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(`${file} cannot be written: ${message}`, {
      code: 'CANNOT_WRITE',
      value: code,
      expected: 'a place on the disk that can be written, with room left',
      hint: 'make room, or choose another folder; what has come so far is kept',
      cause,
    });
  }
}

/** Does something with a file. @throws {WriteError} The disk refuses. */
export async function writing<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new WriteError(file, cause);
  }
}
