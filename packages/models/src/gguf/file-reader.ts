/** Reads a file from its start, in order, and never more than it has: every length is checked before memory is taken for it. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { NotReadableFileError, openRegularFileSync } from '@vlgym/core/internal';
import { GgufInvalidError } from './errors.js';

const BUFFER_BYTES = 2 ** 18;
/** Ten times the header of a model with a vocabulary of 256 thousand entries. */
const MAX_HEADER_BYTES = 2 ** 26;
/** Chat templates are the longest texts of published files, with some ten thousand bytes. */
const MAX_TEXT_BYTES = 2 ** 24;

export class FileReader {
  readonly size: number;
  /** Bytes from the start of the file. */
  position = 0;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #start = 0;
  #filled = 0;

  /** @throws {GgufInvalidError} The file is missing or not readable. */
  constructor(readonly path: string) {
    try {
      this.#file = openRegularFileSync(path);
    } catch (cause) {
      const isOther = cause instanceof NotReadableFileError;
      throw new GgufInvalidError(path, isOther ? cause.problem : `it is not readable: ${messageOf(cause)}`, {
        expected: 'a readable GGUF file',
        hint: 'check the path and its permissions',
        cause,
      });
    }
    this.size = fstatSync(this.#file).size;
  }

  get remaining(): number {
    return this.size - this.position;
  }

  u8 = (): number => this.#take(1).readUInt8();
  i8 = (): number => this.#take(1).readInt8();
  u16 = (): number => this.#take(2).readUInt16LE();
  i16 = (): number => this.#take(2).readInt16LE();
  u32 = (): number => this.#take(4).readUInt32LE();
  i32 = (): number => this.#take(4).readInt32LE();
  f32 = (): number => this.#take(4).readFloatLE();
  u64 = (): bigint => this.#take(8).readBigUInt64LE();
  i64 = (): bigint => this.#take(8).readBigInt64LE();
  f64 = (): number => this.#take(8).readDoubleLE();

  /**
   * A number of things that follow.
   *
   * @param leastBytes  What each takes at least: the file cannot have more of them than fit into the rest of it.
   */
  count(what: string, leastBytes: number, most: number): number {
    const count = this.u64();
    const limit = Math.min(most, Math.floor(this.remaining / leastBytes));
    if (count <= BigInt(limit)) return Number(count);
    throw new GgufInvalidError(this.path, `it announces ${count} ${what}`, {
      value: count,
      expected: `at most ${limit}, which is ${limit === most ? 'the limit' : 'what fits into the rest of the file'}`,
    });
  }

  /** A length and UTF-8. */
  text(what: string): string {
    const length = this.count(`bytes of ${what}`, 1, MAX_TEXT_BYTES);
    try {
      return this.#decoder.decode(this.#take(length));
    } catch (cause) {
      if (cause instanceof GgufInvalidError) throw cause;
      throw new GgufInvalidError(this.path, `${what} is not UTF-8`, { expected: 'text in UTF-8', cause });
    }
  }

  /** A copy. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#take(length));
  }

  /** Fills `target` with the bytes at `position` of the file; does not move the reader. */
  fill(target: Uint8Array, position: number): void {
    for (let done = 0; done < target.length; ) {
      const read = readSync(this.#file, target, done, target.length - done, position + done);
      if (read === 0) throw this.#truncated(position + target.length);
      done += read;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** A view that the next call may overwrite. */
  #take(length: number): Buffer {
    if (length > this.remaining) throw this.#truncated(this.position + length);
    if (this.position + length > MAX_HEADER_BYTES) {
      throw new GgufInvalidError(this.path, 'its header is too long', {
        value: this.position + length,
        expected: `at most ${MAX_HEADER_BYTES} bytes`,
      });
    }
    const { position } = this;
    this.position += length;
    if (length > BUFFER_BYTES) {
      const long = Buffer.alloc(length);
      this.fill(long, position);
      return long;
    }
    if (position < this.#start || position + length > this.#start + this.#filled) {
      this.#start = position;
      this.#filled = Math.min(BUFFER_BYTES, this.size - position);
      this.fill(this.#buffer.subarray(0, this.#filled), position);
    }
    return this.#buffer.subarray(position - this.#start, position - this.#start + length);
  }

  #truncated(wanted: number): GgufInvalidError {
    return new GgufInvalidError(this.path, `it ends too early, after ${this.size} bytes`, {
      value: this.size,
      expected: `at least ${wanted} bytes`,
    });
  }
}

const messageOf = (cause: unknown): string => (cause as Error).message.split('\n')[0] ?? '';
