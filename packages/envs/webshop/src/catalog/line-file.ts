/** Lines of a text file by number: an offset table in memory, the lines read when they are asked for. */
import { closeSync, openSync, readSync } from 'node:fs';
import { GymError } from '@vlgym/core';

/** A net under files that nobody has closed and nobody can read any more. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

export class LineFile {
  readonly #path: string;
  readonly #file: number;
  readonly #offsets: Float64Array;
  #open = true;

  /** @param offsets  Where each line begins, and the end of the last; bytes. */
  constructor(path: string, offsets: Float64Array) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    this.#offsets = offsets;
    forgotten.register(this, this.#file, this);
  }

  get size(): number {
    return this.#offsets.length - 1;
  }

  /** @throws {GymError} `CATALOG_CLOSED` */
  line(number: number): string {
    // the number of a closed file may be another file's by now
    if (!this.#open) {
      throw new GymError(`${this.#path} is closed.`, {
        code: 'CATALOG_CLOSED',
        value: this.#path,
        hint: 'make a new environment, or open the catalog again',
      });
    }
    const from = this.#offsets[number]!;
    const bytes = Buffer.allocUnsafe(this.#offsets[number + 1]! - from);
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(this.#file, bytes, read, bytes.length - read, from + read);
      if (count === 0) throw new RangeError(`the file ends before line ${number}`);
      read += count;
    }
    return bytes.toString('utf8');
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    forgotten.unregister(this);
    closeSync(this.#file);
  }
}
