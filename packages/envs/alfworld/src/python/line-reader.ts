/** Splits chunks of bytes into lines of bounded length. */
export class LineReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  /** @param maxBytes  Maximum length of a line without its end. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the lines that `chunk` completes, without their ends, decoded as UTF-8.
   *
   * @returns `undefined` if a line is too long; the reader must not be used again.
   */
  push(chunk: Buffer): string[] | undefined {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      if (this.#length + end - start > this.#maxBytes) return undefined;
      lines.push(Buffer.concat([...this.#chunks, chunk.subarray(start, end)]).toString());
      this.#chunks = [];
      this.#length = 0;
      start = end + 1;
    }
    this.#chunks.push(chunk.subarray(start));
    this.#length += chunk.length - start;
    return this.#length > this.#maxBytes ? undefined : lines;
  }
}
