/** Errors of archives and downloads. */
import { GymError, type GymErrorOptions } from '@vlgym/core';

export type ArchiveErrorCode = 'INVALID_ARCHIVE' | 'UNSAFE_ARCHIVE' | 'ARCHIVE_TOO_LARGE';

/**
 * An archive is damaged (`INVALID_ARCHIVE`), would write outside its folder (`UNSAFE_ARCHIVE`), or would fill the disk
 * (`ARCHIVE_TOO_LARGE`). It is refused before anything is written, unless only unpacking reveals the damage.
 */
export class ArchiveError extends GymError {
  constructor(
    readonly archive: string,
    /** Name of the offending entry, if there is one. */
    readonly entry: string | undefined,
    message: string,
    options: Omit<GymErrorOptions, 'code'> & { readonly code: ArchiveErrorCode },
  ) {
    super(`${archive}${entry === undefined ? '' : ` (${JSON.stringify(entry)})`}: ${message}`, options);
  }
}

export type DownloadErrorCode = 'NO_NETWORK' | 'DOWNLOAD_FAILED' | 'CHECKSUM_MISMATCH';

/** An archive could not be fetched. The received part is kept, and the next try resumes. */
export class DownloadError extends GymError {
  constructor(
    readonly url: string,
    message: string,
    options: Omit<GymErrorOptions, 'code'> & { readonly code: DownloadErrorCode },
  ) {
    super(`${url}: ${message}`, options);
  }
}
