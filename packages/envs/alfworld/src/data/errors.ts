/** What can go wrong with an archive or its download. */
import { GymError, type GymErrorOptions } from '@vlgym/core';

export type ArchiveErrorCode = 'INVALID_ARCHIVE' | 'UNSAFE_ARCHIVE' | 'ARCHIVE_TOO_LARGE';

/**
 * An archive that is broken (`INVALID_ARCHIVE`), would write where it must not (`UNSAFE_ARCHIVE`), or would fill the
 * disk (`ARCHIVE_TOO_LARGE`). It is refused before anything of it is written, except where a content proves broken.
 */
export class ArchiveError extends GymError {
  constructor(
    readonly archive: string,
    /** Name inside the archive, where one entry is to blame. */
    readonly entry: string | undefined,
    message: string,
    options: Omit<GymErrorOptions, 'code'> & { readonly code: ArchiveErrorCode },
  ) {
    super(`${archive}${entry === undefined ? '' : ` (${JSON.stringify(entry)})`}: ${message}`, options);
  }
}

export type DownloadErrorCode = 'NO_NETWORK' | 'DOWNLOAD_FAILED' | 'CHECKSUM_MISMATCH';

/** An archive that could not be fetched; what has come so far is kept, and the next try goes on from there. */
export class DownloadError extends GymError {
  constructor(
    readonly url: string,
    message: string,
    options: Omit<GymErrorOptions, 'code'> & { readonly code: DownloadErrorCode },
  ) {
    super(`${url}: ${message}`, options);
  }
}
