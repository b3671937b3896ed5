/**
 * Attention inside parts of a long sequence: pictures, or windows of a picture. No mask is built; parts of equal length
 * are computed as one batch.
 */
import { cat, nn, type Tensor } from '@vlgym/gpu';

interface Group {
  readonly count: number;
  readonly length: number;
  /** int64 [count * length] positions in the sequence; null if the group is the whole sequence in order. */
  readonly index: Tensor | null;
}

export class Segments {
  readonly #groups: readonly Group[];
  /** int64: for every position of the sequence, its place in the groups one after the other. */
  readonly #restore: Tensor | null = null;

  /** @param borders  Ascending, from 0 to the length of the sequence. */
  constructor(borders: readonly number[], ints: (data: Int32Array) => Tensor) {
    const starts = new Map<number, number[]>();
    for (let i = 1; i < borders.length; i += 1) {
      const length = borders[i]! - borders[i - 1]!;
      starts.set(length, [...(starts.get(length) ?? []), borders[i - 1]!]);
    }
    if (starts.size === 1) {
      const [[length, all]] = [...starts] as [[number, number[]]];
      this.#groups = [{ count: all.length, length, index: null }];
      return;
    }
    const order = [...starts].flatMap(([length, all]) => all.flatMap((start) => range(start, length)));
    const restore = new Int32Array(order.length);
    for (const [place, position] of order.entries()) restore[position] = place;
    this.#restore = ints(restore);
    this.#groups = [...starts].map(([length, all]) => ({
      count: all.length,
      length,
      index: ints(Int32Array.from(all.flatMap((start) => range(start, length)))),
    }));
  }

  /** Query, key and value [tokens, heads, width] → [tokens, heads * width]. */
  attend(query: Tensor, key: Tensor, value: Tensor): Tensor {
    const [, heads, width] = query.shape as [number, number, number];
    const outputs = this.#groups.map(({ count, length, index }) => {
      const [q, k, v] = [query, key, value].map((all) =>
        (index ? all.indexSelect(0, index) : all).view([count, length, heads, width]).transpose(1, 2),
      ) as [Tensor, Tensor, Tensor];
      const attended = nn.functional.scaledDotProductAttention(q, k, v);
      return attended.transpose(1, 2).reshape([count * length, heads * width]);
    });
    return this.#restore ? cat(outputs, 0).indexSelect(0, this.#restore) : outputs[0]!;
  }
}

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, i) => start + i);
}
