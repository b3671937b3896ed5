/**
 * Fetches ALFWorld's official archives and unpacks them into the data folder.
 *
 * Addresses: `docs/specs/alfworld.md`, section 1. ALFWorld publishes no checksums. Checked are the length given by
 * the server, the CRC of every file, and a SHA-256: the caller's, or that of the first download.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkNames, names } from '@vlgym/core/internal';
import { cacheFolder } from '../games/listing-cache.js';
import { ArchiveError, DownloadError } from './errors.js';
import { digest, type FetchOptions, fetchArchive } from './fetch-archive.js';
import { type Imported, type ImportOptions, importData } from './import-data.js';
import { hashFile, recordedHashes, recordHash } from './recorded-hashes.js';

export type { DownloadProgress } from './fetch-archive.js';

export const ARCHIVE_VERSIONS = ['2.1.1', '2.1.2', '2.1.3'] as const;
/** Generation of the games: `2.1.1` has the old verbs (`put … in/on …`), the others the new ones. */
export type ArchiveVersion = (typeof ARCHIVE_VERSIONS)[number];

const RELEASES = 'https://github.com/alfworld/alfworld/releases/download';
const GAMES: Readonly<Record<ArchiveVersion, string>> = {
  '2.1.1': `${RELEASES}/0.2.2/json_2.1.1_tw-pddl.zip`,
  '2.1.2': `${RELEASES}/0.4.0/json_2.1.2_tw-pddl.zip`,
  '2.1.3': `${RELEASES}/0.4.2/json_2.1.3_tw-pddl.zip`,
};
const TRAJECTORIES = `${RELEASES}/0.2.2/json_2.1.1_json.zip`;

/** How an archive was checked: against the caller's SHA-256, that of the first download, or not yet. */
export interface ArchiveCheck {
  readonly url: string;
  readonly sha256: string;
  readonly heldTo: 'given' | 'first-download' | 'nothing';
}

export interface DownloadOptions extends Omit<ImportOptions, 'onProgress'>, FetchOptions {
  /** Default `2.1.2`, which ALFWorld 0.4 plays. */
  readonly version?: ArchiveVersion | undefined;
  /** Folder for archives while they are fetched; default: the cache of vlgym. */
  readonly archives?: string | undefined;
  readonly onUnpack?: ImportOptions['onProgress'];
  /** Called for each fetched archive. */
  readonly onChecked?: ((check: ArchiveCheck) => void) | undefined;
}

/** Addresses of trajectories and games of a version. */
export function archiveAddresses(version: ArchiveVersion): readonly string[] {
  return [TRAJECTORIES, GAMES[version]];
}

const DOWNLOAD_DATA_OPTIONS = names<DownloadOptions>({
  version: 0,
  archives: 0,
  onUnpack: 0,
  onChecked: 0,
  to: 0,
  signal: 0,
  entries: 0,
  fileBytes: 0,
  totalBytes: 0,
  sha256: 0,
  onDownload: 0,
  fetch: 0,
});

/**
 * Fetches and unpacks the games of one version.
 *
 * @throws {DownloadError}  `NO_NETWORK`, `DOWNLOAD_FAILED` (try again: it resumes) or `CHECKSUM_MISMATCH`.
 * @throws {ArchiveError}   The downloaded archive is not valid; it is deleted.
 * @throws {WriteError}     `CANNOT_WRITE`: an archive or one of its files cannot be written.
 */
export async function downloadData(given: DownloadOptions = {}): Promise<Imported> {
  checkNames('options', given, DOWNLOAD_DATA_OPTIONS);
  const {
    version = '2.1.2',
    archives = join(cacheFolder(), 'alfworld'),
    onDownload,
    onUnpack,
    onChecked,
    ...options
  } = given;
  const { to, signal, entries, fileBytes, totalBytes } = options;
  const unpacking: ImportOptions = { to, signal, entries, fileBytes, totalBytes, onProgress: onUnpack };
  let all: Imported | undefined;
  for (const url of archiveAddresses(version)) {
    const file = join(archives, url.split('/').at(-1)!);
    const check = await fetchChecked(url, file, archives, { ...options, ...(onDownload && { onDownload }) });
    try {
      const imported = await importData(file, unpacking);
      all = {
        folder: imported.folder,
        written: imported.written + (all?.written ?? 0),
        kept: imported.kept + (all?.kept ?? 0),
        ignored: imported.ignored + (all?.ignored ?? 0),
      };
    } catch (error) {
      if (error instanceof ArchiveError) await rm(file, { force: true });
      throw error;
    }
    // Recorded last: later downloads must not be compared with an archive that cannot be unpacked.
    if (check.heldTo === 'nothing') await recordHash(archives, url, check.sha256);
    onChecked?.(check);
    await rm(file, { force: true });
  }
  return all!;
}

async function fetchChecked(url: string, file: string, archives: string, options: FetchOptions): Promise<ArchiveCheck> {
  const given = options.sha256?.[url];
  if (given !== undefined) {
    await fetchArchive(url, file, options);
    return { url, sha256: given.toLowerCase(), heldTo: 'given' };
  }
  const recorded = (await recordedHashes(archives))[url];
  await fetchArchive(url, file, { ...options, sha256: recorded === undefined ? {} : { [url]: recorded } }).catch(
    (error: unknown) => {
      if (!(error instanceof DownloadError) || error.code !== 'CHECKSUM_MISMATCH') throw error;
      throw new DownloadError(url, 'The archive differs from the first download.', {
        code: 'CHECKSUM_MISMATCH',
        value: error.value,
        ...(recorded !== undefined && { expected: recorded }),
        hint: `try again; if it persists, the archive was replaced: find out why, then remove its line from ${hashFile(archives)}`,
        cause: error,
      });
    },
  );
  if (recorded !== undefined) return { url, sha256: recorded, heldTo: 'first-download' };
  return { url, sha256: await digest(file), heldTo: 'nothing' };
}
