/** Whole lines out of chunks of bytes, none longer than allowed. */
export class LineReader {
  readonly #longest: number;
  #chunks: Buffer[] = [];
  #length = 0;

  /** @param longest  Most bytes of a line, its end not counted. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /**
   * The lines that `chunk` completes, as UTF-8 without their ends.
   *
   * @returns `undefined` where a line is too long; the reader is of no use then.
   */
  push(chunk: Buffer): string[] | undefined {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      if (this.#length + end - start > this.#longest) return undefined;
      lines.push(Buffer.concat([...this.#chunks, chunk.subarray(start, end)]).toString());
      this.#chunks = [];
      this.#length = 0;
      start = end + 1;
    }
    this.#chunks.push(chunk.subarray(start));
    this.#length += chunk.length - start;
    return this.#length > this.#longest ? undefined : lines;
  }
}
