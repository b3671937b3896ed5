/**
 * Downloads an archive into a file: complete or not at all, resuming an earlier try, and checked.
 *
 * A partial download is stored next to the target with the server's entity tag (RFC 9110, 8.8 and 13.1.5), so that halves
 * of two versions are never joined. Without an entity tag the download starts over.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DownloadError } from './errors.js';
import { writing } from './write-error.js';

/** Far above the size of any archive; a larger answer is not an archive of ALFWorld. */
const MAX_BYTES = 2 ** 30;

export interface DownloadProgress {
  readonly url: string;
  /** Bytes received, including those of an earlier try. */
  readonly bytes: number;
  readonly totalBytes?: number;
}

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Expected SHA-256 in hexadecimal, by address. */
  readonly sha256?: Readonly<Record<string, string>> | undefined;
  /** Its errors end the download and are rethrown unchanged. */
  readonly onDownload?: ((progress: DownloadProgress) => void) | undefined;
  /** For proxies and tests; default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** The part that an earlier try left. */
interface PartialDownload {
  readonly bytes: number;
  /** Entity tag or date for `If-Range`. */
  readonly version: string;
}

/**
 * Fetches one file; an existing one is only checked.
 *
 * @throws {DownloadError | WriteError} See `downloadData`.
 */
export async function fetchArchive(url: string, file: string, options: FetchOptions = {}): Promise<void> {
  if (await stat(file).catch(() => undefined)) return check(url, file, options);
  const part = `${file}.part`;
  const begun = await findPart(part);
  const response = await request(url, begun, options);
  try {
    await receive(url, part, { response, start: response.status === 206 ? begun!.bytes : 0, options });
  } catch (error) {
    // An unread connection would keep the process alive.
    await response.body?.cancel().catch(() => undefined);
    throw error;
  }
  await rm(versionFile(part), { force: true });
  await check(url, part, options);
  await writing(file, () => rename(part, file));
}

interface Receiving {
  readonly response: Response;
  /** Bytes that already exist. */
  readonly start: number;
  readonly options: FetchOptions;
}

async function receive(url: string, part: string, { response, start, options }: Receiving): Promise<void> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) ? start + length : undefined;
  if (total !== undefined && total > MAX_BYTES) throw failed(url, `The server offers ${total} bytes.`);
  const handle = await writing(part, () => openPart(part, { response, start, options }));
  let bytes = start;
  try {
    for await (const chunk of piecesOf(url, { response, start, options })) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw failed(url, `The server sent more than ${MAX_BYTES} bytes.`);
      await writing(part, () => handle.appendFile(chunk));
      options.onDownload?.({ url, bytes, ...(total === undefined ? {} : { totalBytes: total }) });
    }
    await writing(part, () => handle.sync());
  } finally {
    await handle.close();
  }
  if (total !== undefined && bytes !== total) throw failed(url, `Received ${bytes} of ${total} bytes.`);
}

/** Opens the partial file for appending; a new one gets the server's entity tag next to it. */
async function openPart(part: string, { response, start }: Receiving): Promise<FileHandle> {
  if (start === 0) {
    await mkdir(dirname(part), { recursive: true });
    // Emptied first, so that a part never lies next to the entity tag of another version.
    await writeFile(part, '');
    await writeFile(versionFile(part), versionOf(response) ?? '');
  }
  return open(part, 'a');
}

/** Chunks of the answer. Errors in here are those of the connection, as opposed to the disk's and the caller's. */
async function* piecesOf(url: string, { response, start, options }: Receiving): AsyncGenerator<Uint8Array> {
  const { signal } = options;
  let bytes = start;
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw failed(url, `The connection broke after ${bytes} bytes.`, cause);
  }
}

function versionFile(part: string): string {
  return `${part}.version`;
}

async function findPart(part: string): Promise<PartialDownload | undefined> {
  const found = await stat(part).catch(() => undefined);
  const version = await readFile(versionFile(part), 'utf8').catch(() => '');
  return found?.isFile() && found.size > 0 && version !== '' ? { bytes: found.size, version } : undefined;
}

/** Requests the rest of a partial download (206), or all of it. */
async function request(url: string, begun: PartialDownload | undefined, options: FetchOptions): Promise<Response> {
  const { fetch: get = fetch, signal } = options;
  let response: Response;
  try {
    response = await get(url, {
      headers: begun ? { range: `bytes=${begun.bytes}-`, 'if-range': begun.version } : {},
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new DownloadError(url, 'The server cannot be reached.', {
      code: 'NO_NETWORK',
      hint: 'fetch the archive on another machine and run `vlgym alfworld import FILE` or `importData(file)`, or play generated households',
      cause,
    });
  }
  // 416, a range that starts at the end: the last try was complete, but not moved into place.
  if (begun && (response.status === 416 || (response.status === 206 && !isRest(response, begun)))) {
    await response.body?.cancel();
    return request(url, undefined, options);
  }
  const isWanted = response.ok && (begun !== undefined || response.status !== 206);
  if (!isWanted || !response.body) throw failed(url, `The server answered ${response.status}.`);
  return response;
}

/** Whether a 206 continues the part in the same version. */
function isRest(response: Response, { bytes, version }: PartialDownload): boolean {
  const from = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  return Number(from ?? Number.NaN) === bytes && (versionOf(response) ?? version) === version;
}

/** A strong entity tag or a date; `If-Range` does not allow weak tags. */
function versionOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag');
  return tag?.startsWith('"') ? tag : (headers.get('last-modified') ?? undefined);
}

/** @throws {DownloadError} `CHECKSUM_MISMATCH`; the file is deleted. */
async function check(url: string, file: string, { sha256 }: FetchOptions): Promise<void> {
  const expected = sha256?.[url];
  if (expected === undefined) return;
  const actual = await digest(file);
  if (actual === expected.toLowerCase()) return;
  await rm(file, { force: true });
  throw new DownloadError(url, 'The archive has an unexpected checksum.', {
    code: 'CHECKSUM_MISMATCH',
    value: actual,
    expected,
    hint: 'try again; if it persists, the archive was replaced',
  });
}

/** SHA-256 in hexadecimal. */
export async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function failed(url: string, message: string, cause?: unknown): DownloadError {
  return new DownloadError(url, message, {
    code: 'DOWNLOAD_FAILED',
    hint: 'try again: the download resumes',
    ...(cause === undefined ? {} : { cause }),
  });
}
