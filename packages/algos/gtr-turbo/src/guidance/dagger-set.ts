/**
 * The union of all steps that were ever corrected (DAgger): inputs with label tokens, drawn without replacement.
 *
 * Pictures are large and the set only grows, so it is in a file alone, without a name in the system's folder for temporary
 * files; what is drawn is read. Checkpoints point into a log of the same records: a checkpoint remembers how long the log
 * was, and resuming cuts off what came later. Rules: `docs/specs/algorithms.md` 4.3.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Generator } from '@vlgym/core';
import { CheckpointDamagedError } from '@vlgym/rl';
import type { LabeledSequence } from '@vlgym/rl/update';
import { z } from 'zod';
import { decodeSequence, encodeSequence, recordBytes } from './sequence-codec.js';

/** The position in the log. */
export const daggerState = z.object({
  count: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Digest of these bytes. */
  sha256: z.string(),
});
export type DaggerState = z.output<typeof daggerState>;

/** Bytes that are copied at once. */
const CHUNK = 2 ** 20;

export class DaggerSet {
  /** The start of each sample; it ends at the start of the next one. */
  #starts: number[] = [];
  /** Bytes of all samples. */
  #end = 0;
  /** Samples and bytes already in the log. */
  #logged = 0;
  #loggedBytes = 0;
  /** Digest of the log so far. The log only grows, so that no checkpoint reads it again. */
  #hash = createHash('sha256');
  #order: number[] = [];
  #file: number | undefined;

  get size(): number {
    return this.#starts.length;
  }

  add(sample: LabeledSequence): void {
    const record = encodeSequence(sample);
    this.#write(record);
    this.#starts.push(this.#end - record.length);
  }

  /** Starts a fresh permutation; call at the start of an epoch. */
  shuffle(rng: Generator): void {
    this.#order = rng.permutation(this.size);
  }

  /** `count` samples without replacement, or fewer where the set is smaller; shuffled again when exhausted. */
  draw(count: number, rng: Generator): LabeledSequence[] {
    const drawn: LabeledSequence[] = [];
    const wanted = Math.min(count, this.size);
    while (drawn.length < wanted) {
      if (this.#order.length === 0) this.shuffle(rng);
      drawn.push(this.#at(this.#order.pop()!));
    }
    return drawn;
  }

  /** Appends what is new to the log and makes it durable. */
  async save(path: string): Promise<DaggerState> {
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
    return { count: this.#logged, bytes: this.#loggedBytes, sha256: this.#hash.copy().digest('hex') };
  }

  /**
   * Keeps the first `state.bytes` of the log and discards the rest.
   *
   * @throws {CheckpointDamagedError} Their digest differs from the saved one.
   */
  async load(path: string, state: DaggerState): Promise<void> {
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
    for (let start = 0; start < state.bytes; ) {
      this.#starts.push(start);
      const length = this.#read(start, 4).readUInt32LE();
      start += recordBytes(this.#read(start + 4, length).toString(), length);
    }
    this.#logged = this.size;
    this.#loggedBytes = this.#end;
  }

  /** Empties the set. */
  dispose(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#starts = [];
    this.#order = [];
    this.#hash = createHash('sha256');
    this.#end = 0;
    this.#logged = 0;
    this.#loggedBytes = 0;
  }

  #at(index: number): LabeledSequence {
    const start = this.#starts[index]!;
    return decodeSequence(this.#read(start, (this.#starts[index + 1] ?? this.#end) - start));
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
      if (count === 0) throw new RangeError('the file of corrected steps ends in the middle of a record');
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
