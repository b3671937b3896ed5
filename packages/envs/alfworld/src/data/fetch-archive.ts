/**
 * One archive from a server into a file: whole or not at all, resumed where an earlier try broke off, and checked.
 *
 * A part of it waits beside its name, with what the server called its version (RFC 9110, 8.8 and 13.1.5), so that the
 * next try never joins the halves of two versions; without that name it starts anew.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DownloadError } from './errors.js';
import { writing } from './write-error.js';

/** No archive is near this; a server that sends more is not the one we asked. */
const MOST_BYTES = 2 ** 30;

export interface DownloadProgress {
  readonly url: string;
  /** Bytes so far, those of an earlier try included. */
  readonly bytes: number;
  readonly totalBytes?: number;
}

export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** Expected SHA-256 in hexadecimal, by address. */
  readonly sha256?: Readonly<Record<string, string>>;
  /** What it throws ends the download, and is thrown on as it is. */
  readonly onDownload?: (progress: DownloadProgress) => void;
  /** For proxies and tests; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A part that an earlier try left. */
interface Begun {
  readonly bytes: number;
  /** The server's name of the version, for `If-Range`. */
  readonly version: string;
}

/**
 * Fetches one file; one that is there already is only checked.
 *
 * @throws {DownloadError | WriteError} See `downloadData`.
 */
export async function fetchArchive(url: string, file: string, options: FetchOptions = {}): Promise<void> {
  if (await stat(file).catch(() => undefined)) return check(url, file, options);
  const part = `${file}.part`;
  const begun = await begunAt(part);
  const response = await request(url, begun, options);
  try {
    await receive(url, part, { response, start: response.status === 206 ? begun!.bytes : 0, options });
  } catch (error) {
    // a connection that nobody reads would keep the process alive
    await response.body?.cancel().catch(() => undefined);
    throw error;
  }
  await rm(versionFile(part), { force: true });
  await check(url, part, options);
  await writing(file, () => rename(part, file));
}

interface Receiving {
  readonly response: Response;
  /** Bytes that are there already. */
  readonly start: number;
  readonly options: FetchOptions;
}

async function receive(url: string, part: string, { response, start, options }: Receiving): Promise<void> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) ? start + length : undefined;
  if (total !== undefined && total > MOST_BYTES) throw failed(url, `The server offers ${total} bytes.`);
  const handle = await writing(part, () => opened(part, { response, start, options }));
  let bytes = start;
  try {
    for await (const chunk of piecesOf(url, { response, start, options })) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw failed(url, `The server sends more than ${MOST_BYTES} bytes.`);
      await writing(part, () => handle.appendFile(chunk));
      options.onDownload?.({ url, bytes, ...(total === undefined ? {} : { totalBytes: total }) });
    }
    await writing(part, () => handle.sync());
  } finally {
    await handle.close();
  }
  if (total !== undefined && bytes !== total) throw failed(url, `${bytes} of ${total} bytes came.`);
}

/** The part, to be written on; a new one has the server's name of its version beside it. */
async function opened(part: string, { response, start }: Receiving): Promise<FileHandle> {
  if (start === 0) {
    await mkdir(dirname(part), { recursive: true });
    // emptied first, so that no part ever stands beside the name of another version
    await writeFile(part, '');
    await writeFile(versionFile(part), versionOf(response) ?? '');
  }
  return open(part, 'a');
}

/** What comes, piece by piece. Only what fails in here is the connection's fault; the disk and the caller have theirs. */
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

async function begunAt(part: string): Promise<Begun | undefined> {
  const found = await stat(part).catch(() => undefined);
  const version = await readFile(versionFile(part), 'utf8').catch(() => '');
  return found?.isFile() && found.size > 0 && version !== '' ? { bytes: found.size, version } : undefined;
}

/** An answer with the rest of what was begun (206), or with all of it. */
async function request(url: string, begun: Begun | undefined, options: FetchOptions): Promise<Response> {
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
      hint: 'fetch the archive elsewhere, then `vlgym alfworld import FILE` or `importData(file)`; or play generated households',
      cause,
    });
  }
  // 416, a range that begins at the end: all of it came the last time, but was not moved into place
  if (begun && (response.status === 416 || (response.status === 206 && !isRest(response, begun)))) {
    await response.body?.cancel();
    return request(url, undefined, options);
  }
  const isWanted = response.ok && (begun !== undefined || response.status !== 206);
  if (!isWanted || !response.body) throw failed(url, `The server answered ${response.status}.`);
  return response;
}

/** Does a 206 go on where the part ends, in the same version? */
function isRest(response: Response, { bytes, version }: Begun): boolean {
  const from = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  return Number(from ?? Number.NaN) === bytes && (versionOf(response) ?? version) === version;
}

/** A strong entity tag or a date; weak tags cannot be asked for in `If-Range`. */
function versionOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag');
  return tag?.startsWith('"') ? tag : (headers.get('last-modified') ?? undefined);
}

/** @throws {DownloadError} `CHECKSUM_MISMATCH`; the file is thrown away. */
async function check(url: string, file: string, { sha256 }: FetchOptions): Promise<void> {
  const expected = sha256?.[url];
  if (expected === undefined) return;
  const actual = await digest(file);
  if (actual === expected.toLowerCase()) return;
  await rm(file, { force: true });
  throw new DownloadError(url, 'What came is not what was expected.', {
    code: 'CHECKSUM_MISMATCH',
    value: actual,
    expected,
    hint: 'try again; if it stays, the archive was replaced',
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
    hint: 'try again: it goes on where it stopped',
    ...(cause === undefined ? {} : { cause }),
  });
}
