/**
 * ALFWorld's official archives, fetched and unpacked into the data folder.
 *
 * Addresses: `docs/specs/alfworld.md`, section 1. ALFWorld publishes no checksums, so what is checked is the length
 * that the server names, the CRC of every file inside, and a SHA-256: the caller's, else that of the first download.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../games/listing-cache.js';
import { ArchiveError, DownloadError } from './errors.js';
import { digest, type FetchOptions, fetchArchive } from './fetch-archive.js';
import { type Imported, type ImportOptions, importData } from './import-data.js';
import { hashFile, recordedHashes, recordHash } from './recorded-hashes.js';

export type { DownloadProgress } from './fetch-archive.js';

export const ARCHIVE_VERSIONS = ['2.1.1', '2.1.2', '2.1.3'] as const;
/** Generation of the games: `2.1.1` has the old words (`put … in/on …`), the others the new ones. */
export type ArchiveVersion = (typeof ARCHIVE_VERSIONS)[number];

const RELEASES = 'https://github.com/alfworld/alfworld/releases/download';
const GAMES: Readonly<Record<ArchiveVersion, string>> = {
  '2.1.1': `${RELEASES}/0.2.2/json_2.1.1_tw-pddl.zip`,
  '2.1.2': `${RELEASES}/0.4.0/json_2.1.2_tw-pddl.zip`,
  '2.1.3': `${RELEASES}/0.4.2/json_2.1.3_tw-pddl.zip`,
};
const TRAJECTORIES = `${RELEASES}/0.2.2/json_2.1.1_json.zip`;

/** What an archive was held to: a SHA-256 that the caller gave, that of the first download, or nothing yet. */
export interface ArchiveCheck {
  readonly url: string;
  readonly sha256: string;
  readonly heldTo: 'given' | 'first-download' | 'nothing';
}

export interface DownloadOptions extends Omit<ImportOptions, 'onProgress'>, FetchOptions {
  /** Default `2.1.2`, what ALFWorld 0.4 plays. */
  readonly version?: ArchiveVersion;
  /** Folder of the archives while they are fetched; default: the cache of vlgym. */
  readonly archives?: string;
  readonly onUnpack?: ImportOptions['onProgress'];
  /** Each archive, once it is here. */
  readonly onChecked?: (check: ArchiveCheck) => void;
}

/** The addresses of a version: trajectories and games. */
export function archiveAddresses(version: ArchiveVersion): readonly string[] {
  return [TRAJECTORIES, GAMES[version]];
}

/**
 * Fetches and unpacks the games of one version.
 *
 * @throws {DownloadError}  `NO_NETWORK`, `DOWNLOAD_FAILED` (try again: it goes on where it stopped) or `CHECKSUM_MISMATCH`.
 * @throws {ArchiveError}   What came is no sound archive; it is thrown away.
 * @throws {WriteError}     `CANNOT_WRITE`: the disk refuses an archive or a file of it.
 */
export async function downloadData({
  version = '2.1.2',
  archives = join(cacheFolder(), 'alfworld'),
  onDownload,
  onUnpack,
  onChecked,
  ...options
}: DownloadOptions = {}): Promise<Imported> {
  let all: Imported | undefined;
  for (const url of archiveAddresses(version)) {
    const file = join(archives, url.split('/').at(-1)!);
    const check = await fetchChecked(url, file, archives, { ...options, ...(onDownload && { onDownload }) });
    try {
      const imported = await importData(file, { ...options, ...(onUnpack && { onProgress: onUnpack }) });
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
    // only now: what cannot be unpacked is nothing to hold later downloads to
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
      throw new DownloadError(url, 'What came is not what the first download was.', {
        code: 'CHECKSUM_MISMATCH',
        value: error.value,
        ...(recorded !== undefined && { expected: recorded }),
        hint: `try again; if it stays, the archive was replaced: find out why, then remove its line from ${hashFile(archives)}`,
        cause: error,
      });
    },
  );
  if (recorded !== undefined) return { url, sha256: recorded, heldTo: 'first-download' };
  return { url, sha256: await digest(file), heldTo: 'nothing' };
}
