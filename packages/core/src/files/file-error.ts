/** A write that did not reach the disk. */
import { GymError } from '../errors.js';

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free space or choose another folder; what was recorded before is intact',
  EDQUOT: 'your disk quota is spent: free space or choose another folder; what was recorded before is intact',
  EROFS: 'the file system is read-only: choose another folder',
  EACCES: 'you may not write here: change the permissions or choose another folder',
  EPERM: 'you may not write here: change the permissions or choose another folder',
  ENOTDIR: 'a part of the path is a file where a folder is needed',
  EEXIST: 'a part of the path is a file where a folder is needed',
  EISDIR: 'the path is a folder: give the name of a file in it',
  ENAMETOOLONG: 'choose a shorter name',
  CLOSED: 'it was closed before: open it again',
  EMFILE: 'too many files are open: close writers that are done, or raise `ulimit -n`',
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
      hint: hints[reason] ?? 'see the cause; what was recorded before is intact',
      cause,
    });
    this.reason = reason;
  }
}
