/** Lines of a text file by number: an offset table in memory, the lines read when they are asked for. */
import { closeSync, openSync, readSync } from 'node:fs';

export class LineFile {
  readonly #file: number;
  readonly #offsets: Float64Array;
  #open = true;

  /** @param offsets  Where each line begins, and the end of the last; bytes. */
  constructor(path: string, offsets: Float64Array) {
    this.#file = openSync(path, 'r');
    this.#offsets = offsets;
  }

  get size(): number {
    return this.#offsets.length - 1;
  }

  line(number: number): string {
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
    if (this.#open) closeSync(this.#file);
    this.#open = false;
  }
}
