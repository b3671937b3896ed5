/**
 * JSON Lines that survive a killed process: every line is one write, and a torn last line is detected and dropped.
 *
 * A full disk leaves only complete lines. Reading has bounded memory, so a hostile file is refused, not loaded.
 */

import type { FileHandle } from 'node:fs/promises';
import { SerialQueue } from '../async/serial-queue.js';
import { builtin } from './builtin.js';
import { concatenate } from './concatenate.js';
import { FileWriteError } from './file-error.js';
import { openRegularHandle } from './read-regular-file.js';
import { syncFolder, writeFully } from './write-file-atomic.js';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;
/** Maximum length of a line, in bytes. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Appends JSON objects to one file. One appender per file at a time; calls may overlap and keep their order. */
export class JsonLineAppender {
  readonly #handle: FileHandle;
  readonly #queue = new SerialQueue();
  /** Bytes of the file: asking for them at each append would take as long as writing. */
  #size: number;
  #open = true;

  private constructor(
    readonly path: string,
    /** Length in bytes of a torn last line that `open` removed, left by a killed process. */
    readonly tornBytes: number,
    handle: FileHandle,
    size: number,
  ) {
    this.#handle = handle;
    this.#size = size;
  }

  /** Opens or creates the file and missing folders, and repairs its end. */
  static async open(path: string): Promise<JsonLineAppender> {
    const { mkdir, open } = builtin('node:fs/promises');
    const { dirname } = builtin('node:path');
    let handle: FileHandle | undefined;
    try {
      await mkdir(dirname(path), { recursive: true });
      handle = await open(path, 'a+');
      const tornBytes = await mendEnd(handle);
      await syncFolder(dirname(path));
      return new JsonLineAppender(path, tornBytes, handle, (await handle.stat()).size);
    } catch (error) {
      await handle?.close();
      throw new FileWriteError(path, error);
    }
  }

  /**
   * Appends one line. Once this resolves, the line survives the end of the process; with `durable`, also a power loss.
   *
   * @returns the bytes of the line in the file, newline included.
   * @throws {FileWriteError} `FILE_WRITE_FAILED`; earlier lines are complete, and later ones can be appended.
   */
  append(value: object, { durable = false }: { durable?: boolean } = {}): Promise<{ from: number; to: number }> {
    const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    return this.#enqueue(async () => {
      const from = this.#size;
      try {
        await writeFully(this.#handle, bytes);
        if (durable) await this.#handle.datasync();
        this.#size += bytes.length;
        return { from, to: this.#size };
      } catch (error) {
        await this.#handle.truncate(from);
        throw error;
      }
    });
  }

  /** Bytes of the file, once pending appends are done. */
  size(): Promise<number> {
    return this.#enqueue(async () => this.#size);
  }

  /** Waits for pending appends and closes. A second call does nothing. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#queue.idle();
    try {
      await this.#handle.sync();
    } catch (error) {
      throw new FileWriteError(this.path, error);
    } finally {
      await this.#handle.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#open) return Promise.reject(new FileWriteError(this.path, { code: 'CLOSED' }));
    return this.#queue.run(work).catch((error) => {
      throw new FileWriteError(this.path, error);
    });
  }
}

/** Appends one value durably: open, append, fsync, close. For files that grow rarely. */
export async function appendJsonLine(path: string, value: object): Promise<void> {
  const appender = await JsonLineAppender.open(path);
  try {
    await appender.append(value, { durable: true });
  } finally {
    await appender.close();
  }
}

/** The reason why a line has no value. `torn`: the end of the last line is missing, as after a killed process. */
export type JsonLineProblem = 'torn' | 'too-long' | 'not-utf8' | 'not-json';

export type JsonLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: JsonLineProblem; readonly bytes: number; readonly cause?: unknown };

/**
 * The values of a file in order; lines count from 1, empty ones are skipped. Bad lines become problems, not errors.
 *
 * @throws {NotReadableFileError} It is a pipe, a device or a folder.
 */
export async function* readJsonLines(
  path: string,
  { maxLineBytes = MAX_LINE_BYTES }: { maxLineBytes?: number | undefined } = {},
): AsyncGenerator<JsonLine> {
  const handle = await openRegularHandle(path);
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    let parts: Uint8Array[] = [];
    let bytes = 0;
    let line = 1;
    const take = (part: Uint8Array) => {
      bytes += part.length;
      if (bytes <= maxLineBytes) parts.push(part.slice());
      else parts = [];
    };
    const finish = (ended: boolean): JsonLine | undefined => {
      const result = bytes > maxLineBytes ? { line, problem: 'too-long' as const, bytes } : parse(parts, bytes, line);
      parts = [];
      bytes = 0;
      line += 1;
      if (!ended && result !== undefined && 'problem' in result) return { ...result, problem: 'torn' };
      return result;
    };

    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      const piece = chunk.subarray(0, bytesRead);
      let start = 0;
      for (;;) {
        const end = piece.indexOf(NEWLINE, start);
        if (end === -1) break;
        take(piece.subarray(start, end));
        const result = finish(true);
        if (result !== undefined) yield result;
        start = end + 1;
      }
      take(piece.subarray(start));
    }
    const last = finish(false);
    if (last !== undefined) yield last;
  } finally {
    await handle.close();
  }
}

function parse(parts: readonly Uint8Array[], bytes: number, line: number): JsonLine | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(concatenate(parts));
  } catch (cause) {
    return { line, problem: 'not-utf8', bytes, cause };
  }
  if (text.trim() === '') return undefined;
  try {
    return { line, value: JSON.parse(text) };
  } catch (cause) {
    return { line, problem: 'not-json', bytes, cause };
  }
}

/** Makes a file end with a complete line: adds a missing newline, or cuts off a torn line and returns its length. */
async function mendEnd(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  const tail: Uint8Array[] = [];
  let start = size;
  while (start > 0) {
    const length = Math.min(CHUNK_BYTES, start);
    const chunk = new Uint8Array(length);
    await handle.read(chunk, 0, length, start - length);
    const newline = chunk.lastIndexOf(NEWLINE);
    tail.unshift(chunk.subarray(newline + 1));
    start -= length - (newline + 1);
    if (newline !== -1) break;
  }
  const bytes = size - start;
  const last = parse(tail, bytes, 0);
  if (bytes === 0) return 0;
  if (last !== undefined && 'problem' in last) {
    await handle.truncate(start);
    return bytes;
  }
  await writeFully(handle, Uint8Array.of(NEWLINE));
  return 0;
}
