/**
 * Records that an algorithm keeps between updates, such as steps with their pictures: more than fits into memory, read one by
 * one.
 *
 * They are in a file alone, without a name in the system's folder for temporary files. Checkpoints point into a log of the
 * same records: a checkpoint remembers how long the log was, and resuming cuts off what came later. The log only grows.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { CheckpointDamagedError } from '../training/checkpoint-errors.js';

/** The position in the log. */
export const recordLogState = z.object({
  /** Each record follows its length, a little-endian uint32. */
  layout: z.literal('uint32-length'),
  count: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Digest of these bytes. */
  sha256: z.string(),
});
export type RecordLogState = z.output<typeof recordLogState>;

/** Bytes that are copied at once. */
const CHUNK = 2 ** 20;
/** Bytes of the length in front of a record. */
const PREFIX = 4;

export class RecordLog {
  /** The start of each record, its length included; it ends at the start of the next one. */
  #starts: number[] = [];
  /** Bytes of all records. */
  #end = 0;
  /** Records and bytes already in the log. */
  #logged = 0;
  #loggedBytes = 0;
  /** Digest of the log so far. The log only grows, so that no checkpoint reads it again. */
  #hash = createHash('sha256');
  #file: number | undefined;

  get size(): number {
    return this.#starts.length;
  }

  add(record: Uint8Array): void {
    const framed = Buffer.alloc(PREFIX + record.length);
    framed.writeUInt32LE(record.length);
    framed.set(record, PREFIX);
    this.#starts.push(this.#end);
    this.#write(framed);
  }

  /** @param index  From 0 to `size` - 1. */
  at(index: number): Uint8Array {
    const start = this.#starts[index]! + PREFIX;
    return this.#read(start, (this.#starts[index + 1] ?? this.#end) - start);
  }

  /** Appends what is new to the log and makes it durable. */
  async save(path: string): Promise<RecordLogState> {
    if (this.#logged < this.size) {
      const file = await open(path, this.#logged === 0 ? 'w' : 'r+');
      try {
        while (this.#loggedBytes < this.#end) {
          const chunk = this.#read(this.#loggedBytes, Math.min(CHUNK, this.#end - this.#loggedBytes));
          await file.write(chunk, 0, chunk.length, this.#loggedBytes);
          this.#hash.update(chunk);
          this.#loggedBytes += chunk.length;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      this.#logged = this.size;
    }
    const sha256 = this.#hash.copy().digest('hex');
    return { layout: 'uint32-length', count: this.#logged, bytes: this.#loggedBytes, sha256 };
  }

  /**
   * Keeps the first `state.bytes` of the log and discards the rest.
   *
   * @throws {CheckpointDamagedError} Their digest differs from the saved one.
   */
  async load(path: string, state: RecordLogState): Promise<void> {
    this.dispose();
    if (state.count === 0) return;
    const file = await open(path, 'r+').catch((cause) => {
      throw new CheckpointDamagedError(path, 'it is missing or unreadable', cause);
    });
    try {
      await this.#copyFrom(file, state.bytes);
      if (this.#end < state.bytes || this.#hash.copy().digest('hex') !== state.sha256) {
        throw new CheckpointDamagedError(path, 'its content differs from the written one');
      }
      await file.truncate(state.bytes);
    } catch (error) {
      this.dispose();
      throw error;
    } finally {
      await file.close();
    }
    for (let start = 0; start < state.bytes; start += PREFIX + this.#read(start, PREFIX).readUInt32LE()) {
      this.#starts.push(start);
    }
    this.#logged = this.size;
    this.#loggedBytes = this.#end;
  }

  /** Forgets all records. */
  dispose(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#starts = [];
    this.#hash = createHash('sha256');
    this.#end = 0;
    this.#logged = 0;
    this.#loggedBytes = 0;
  }

  async #copyFrom(log: FileHandle, bytes: number): Promise<void> {
    const chunk = Buffer.alloc(CHUNK);
    while (this.#end < bytes) {
      const { bytesRead } = await log.read(chunk, 0, Math.min(CHUNK, bytes - this.#end), this.#end);
      if (bytesRead === 0) return;
      const part = chunk.subarray(0, bytesRead);
      this.#hash.update(part);
      this.#write(part);
    }
  }

  #write(bytes: Uint8Array): void {
    this.#file ??= unnamedFile();
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
    }
    this.#end += bytes.length;
  }

  #read(start: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file!, bytes, done, length - done, start + done);
      if (count === 0) throw new RangeError('the file of records ends in the middle of one');
      done += count;
    }
    return bytes;
  }
}

/** Gone when the process ends, however it does. */
function unnamedFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'vlgym-steps-'));
  try {
    return openSync(join(folder, 'steps.bin'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
