/**
 * ALFWorld's official archives, fetched into the data folder: resumed where a download broke off, checked, unpacked.
 *
 * Addresses: specification of ALFWorld, section 1. ALFWorld publishes no checksums, so what is checked is the length
 * that the server names, the CRC of every file inside, and a SHA-256 where the caller knows it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../games/listing-cache.js';
import { ArchiveError, DownloadError } from './errors.js';
import { type Imported, type ImportOptions, importData } from './import-data.js';

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

/** No archive is near this; a server that sends more is not the one we asked. */
const MOST_BYTES = 2 ** 30;

export interface DownloadProgress {
  readonly url: string;
  /** Bytes so far, those of an earlier try included. */
  readonly bytes: number;
  readonly totalBytes?: number;
}

export interface DownloadOptions extends Omit<ImportOptions, 'onProgress'> {
  /** Default `2.1.2`, what ALFWorld 0.4 plays. */
  readonly version?: ArchiveVersion;
  /** Folder of the archives while they are fetched; default: the cache of vlgym. */
  readonly archives?: string;
  /** Expected SHA-256 in hexadecimal, by address. */
  readonly sha256?: Readonly<Record<string, string>>;
  readonly onDownload?: (progress: DownloadProgress) => void;
  readonly onUnpack?: ImportOptions['onProgress'];
  /** For proxies and tests; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
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
 */
export async function downloadData({
  version = '2.1.2',
  archives = join(cacheFolder(), 'alfworld'),
  onDownload,
  onUnpack,
  ...options
}: DownloadOptions = {}): Promise<Imported> {
  let all: Imported | undefined;
  for (const url of archiveAddresses(version)) {
    const file = join(archives, url.split('/').at(-1)!);
    await fetchArchive(url, file, { ...options, ...(onDownload && { onDownload }) });
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
    await rm(file, { force: true });
  }
  return all!;
}

type FetchOptions = Pick<DownloadOptions, 'fetch' | 'signal' | 'sha256' | 'onDownload'>;

/** One file, whole or not at all; a part of it waits beside its name for the next try. */
export async function fetchArchive(url: string, file: string, options: FetchOptions = {}): Promise<void> {
  const { signal, sha256, onDownload } = options;
  if (await stat(file).catch(() => undefined)) return;
  await mkdir(join(file, '..'), { recursive: true });
  const part = `${file}.part`;
  const begun = (await stat(part).catch(() => undefined))?.size ?? 0;
  const response = await request(url, begun, options);
  const resumed = response.status === 206;
  const start = resumed ? begun : 0;
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) ? start + length : undefined;
  if (total !== undefined && total > MOST_BYTES) throw failed(url, `The server offers ${total} bytes.`);

  const handle = await open(part, resumed ? 'a' : 'w');
  let bytes = start;
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw failed(url, `The server sends more than ${MOST_BYTES} bytes.`);
      await handle.write(chunk);
      onDownload?.({ url, bytes, ...(total === undefined ? {} : { totalBytes: total }) });
    }
    await handle.sync();
  } catch (cause) {
    if (cause instanceof DownloadError || signal?.aborted) throw cause;
    throw failed(url, `The connection broke after ${bytes} bytes.`, cause);
  } finally {
    await handle.close();
  }
  if (total !== undefined && bytes !== total) throw failed(url, `${bytes} of ${total} bytes came.`);
  const expected = sha256?.[url];
  if (expected !== undefined) {
    const actual = await digest(part);
    if (actual !== expected.toLowerCase()) {
      await rm(part, { force: true });
      throw new DownloadError(url, 'What came is not what was expected.', {
        code: 'CHECKSUM_MISMATCH',
        value: actual,
        expected,
        hint: 'try again; if it stays, the archive was replaced',
      });
    }
  }
  await rename(part, file);
}

async function request(url: string, begun: number, { fetch: get = fetch, signal }: FetchOptions): Promise<Response> {
  let response: Response;
  try {
    response = await get(url, {
      headers: begun > 0 ? { range: `bytes=${begun}-` } : {},
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new DownloadError(url, 'The server cannot be reached.', {
      code: 'NO_NETWORK',
      hint: 'fetch the archive elsewhere, then `vlgym alfworld import FILE` or `importData(file)`; or play generated households',
      cause,
    });
  }
  // a range that begins at the end: all of it came the last time, but was not moved into place
  if (response.status === 416 && begun > 0) return request(url, 0, { fetch: get, ...(signal ? { signal } : {}) });
  if (!response.ok || !response.body) throw failed(url, `The server answered ${response.status}.`);
  return response;
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function failed(url: string, message: string, cause?: unknown): DownloadError {
  return new DownloadError(url, message, {
    code: 'DOWNLOAD_FAILED',
    hint: 'try again: it goes on where it stopped',
    ...(cause === undefined ? {} : { cause }),
  });
}
