/** A failed write. */
import { GymError } from '../errors.js';

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free space or choose another folder; earlier records are intact',
  EDQUOT: 'your disk quota is exhausted: free space or choose another folder; earlier records are intact',
  EROFS: 'the file system is read-only: choose another folder',
  EACCES: 'no permission to write: change the permissions or choose another folder',
  EPERM: 'no permission to write: change the permissions or choose another folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  EISDIR: 'the path is a folder: append a file name',
  ENAMETOOLONG: 'choose a shorter name',
  CLOSED: 'the file is closed: open it again',
  EMFILE: 'too many open files: close finished writers, or raise `ulimit -n`',
};

export class FileWriteError extends GymError {
  /** The system's reason, e.g. `ENOSPC`. */
  readonly reason: string;

  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? 'unknown reason';
    super(`Could not write ${path} (${reason}).`, {
      code: 'FILE_WRITE_FAILED',
      value: path,
      hint: hints[reason] ?? 'see the cause; earlier records are intact',
      cause,
    });
    this.reason = reason;
  }
}
