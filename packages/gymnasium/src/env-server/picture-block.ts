/**
 * The pictures of a vector in one block of memory, and what changed in it since the last answer.
 *
 * A step of a card game changes a line of text in a picture of 270 kB, so the bytes on the wire are a fraction of the
 * block. The client keeps the last block, inserts the changed rows, and returns a copy. If environments mark the rows they
 * draw, the other rows are not compared.
 */
import { type Space, spaces } from '@vlgym/core';
import { DrawnRows } from '@vlgym/core/vector';
import { NdArray } from '../frames/codec.js';

/** Rows that are compared at once, before the first and the last changed one are looked for. */
const CHUNK = 16;

export class PictureBlock {
  /** `numEnvs` pictures one after the other, for `frames` of a vector. */
  readonly frames: Uint8Array;
  /** For each picture, where its environment marks the rows that it draws; for `drawn` of a vector. */
  readonly drawn: readonly DrawnRows[];
  /** The same memory, to compare. */
  readonly #now: Buffer;
  readonly #shape: readonly [number, number, number, number];
  readonly #sent: Buffer;
  /** The rows of the last answer: a client asks again when it has read them, so they need no separate memory. */
  readonly #rows: Buffer;
  #hasSent = false;

  private constructor(shape: readonly [number, number, number, number]) {
    const bytes = shape.reduce((product, size) => product * size, 1);
    this.#shape = shape;
    this.drawn = Array.from({ length: shape[0] }, () => new DrawnRows());
    this.frames = new Uint8Array(bytes);
    this.#now = Buffer.from(this.frames.buffer);
    this.#sent = Buffer.alloc(bytes);
    this.#rows = Buffer.alloc(bytes >> 1);
  }

  /** `undefined` for observations that are not one picture. */
  static of(space: Space, numEnvs: number): PictureBlock | undefined {
    if (!spaces.isKind(space, 'image')) return undefined;
    return new PictureBlock([numEnvs, space.height, space.width, space.channels]);
  }

  /** The whole block, or the rows that changed: per picture its index, the first row, and the one after the last. */
  answer(): { stacked: NdArray } | { changed: NdArray; rows: NdArray } {
    const [count, height, width, channels] = this.#shape;
    const row = width * channels;
    const ranges: number[] = [];
    let bytes = 0;
    for (let index = 0; index < count; index += 1) {
      const drawn = this.drawn[index]!.take(height);
      if (!this.#hasSent) continue;
      const [top, bottom] = this.#changedRows(index * height * row, drawn, row);
      if (top === bottom) continue;
      ranges.push(index, top, bottom);
      const [first, last] = [(index * height + top) * row, (index * height + bottom) * row];
      this.#now.copy(this.#sent, first, first, last);
      // more than there is room for: the whole block is sent
      if (bytes + last - first <= this.#rows.length) this.#now.copy(this.#rows, bytes, first, last);
      bytes += last - first;
    }
    if (!this.#hasSent || bytes > this.#rows.length) {
      this.#now.copy(this.#sent);
      this.#hasSent = true;
      return { stacked: new NdArray('|u1', this.#shape, this.frames) };
    }
    return {
      changed: new NdArray('<i4', [ranges.length / 3, 3], Int32Array.from(ranges)),
      rows: new NdArray('|u1', [bytes], this.#rows.subarray(0, bytes)),
    };
  }

  #changedRows(start: number, [from, to]: readonly [number, number], row: number): readonly [number, number] {
    const isEqual = (top: number, bottom: number) => {
      const [first, last] = [start + top * row, start + bottom * row];
      return this.#now.compare(this.#sent, first, last, first, last) === 0;
    };
    let top = from;
    while (top < to && isEqual(top, Math.min(top + CHUNK, to))) top += CHUNK;
    if (top >= to) return [0, 0];
    while (isEqual(top, top + 1)) top += 1;
    let bottom = to;
    while (bottom - CHUNK > top && isEqual(bottom - CHUNK, bottom)) bottom -= CHUNK;
    while (isEqual(bottom - 1, bottom)) bottom -= 1;
    return [top, bottom];
  }
}
