/** Errors of the disk, as opposed to those of an archive or connection. */
import { GymError } from '@vlgym/core';

/** A file cannot be written, e.g. because the disk is full or the path is too long. */
export class WriteError extends GymError {
  constructor(
    readonly file: string,
    cause: unknown,
  ) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(`${file} cannot be written: ${message}`, {
      code: 'CANNOT_WRITE',
      value: code,
      expected: 'a writable folder with free space',
      hint: 'make room or choose another folder; the received part is kept',
      cause,
    });
  }
}

/** Runs a file operation. @throws {WriteError} It failed. */
export async function writing<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new WriteError(file, cause);
  }
}
