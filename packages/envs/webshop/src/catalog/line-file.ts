/** Random access to the lines of a text file: offsets are kept in memory, lines are read on demand. */
import { closeSync, readSync } from 'node:fs';
import { GymError } from '@vlgym/core';
import { openRegularFileSync } from '@vlgym/core/internal';

/** Closes files that are garbage-collected while open. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

export class LineFile {
  readonly #path: string;
  readonly #file: number;
  readonly #offsets: Float64Array;
  #open = true;

  /** @param offsets  Start of each line, and the end of the last; bytes. */
  constructor(path: string, offsets: Float64Array) {
    this.#path = path;
    this.#file = openRegularFileSync(path);
    this.#offsets = offsets;
    forgotten.register(this, this.#file, this);
  }

  get size(): number {
    return this.#offsets.length - 1;
  }

  /** @throws {GymError} `CATALOG_CLOSED` */
  line(number: number): string {
    // The descriptor of a closed file may belong to another file by now.
    if (!this.#open) {
      throw new GymError(`${this.#path} is closed.`, {
        code: 'CATALOG_CLOSED',
        value: this.#path,
        hint: 'create a new environment, or open the catalog again',
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
