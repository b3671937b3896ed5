/**
 * Keys and values of the tokens a decoder has read: one buffer per layer, made once for the whole response.
 *
 * Prompts are padded on the left, so that all rows write their next token in the same column. The cache owns its memory
 * across `tidy`; `dispose` frees it.
 */
import { type DType, empty, keep, type Tensor, tidy } from '@vlgym/gpu';
import type { ModelCache } from '../language-model.js';
import { bytesOf } from './bytes-of.js';

/** Names are those of the Qwen2 configuration in camelCase. */
export interface KeyValueShape {
  readonly numHiddenLayers: number;
  readonly numKeyValueHeads: number;
  readonly headDim: number;
}

/**
 * Capacity for this many tokens. On a device a recorded decoding step reads the whole cache under a mask, and attention
 * takes one whose rows are a multiple of 16 long as it is.
 */
export function capacityFor(tokens: number, device: string): number {
  return device === 'cpu' ? tokens : 16 * Math.ceil(tokens / 16);
}

export class KeyValueCache implements ModelCache {
  /** Tokens read so far. */
  length = 0;
  /** Per layer [rows, key-value heads, capacity, head width]. */
  #keys: Tensor[];
  #values: Tensor[];

  constructor(
    { numHiddenLayers, numKeyValueHeads, headDim }: KeyValueShape,
    rows: number,
    public capacity: number,
    { dtype, device }: { readonly dtype: DType; readonly device: string },
  ) {
    const shape = [rows, numKeyValueHeads, capacity, headDim];
    const buffers = () => Array.from({ length: numHiddenLayers }, () => keep(empty(shape, { dtype, device })));
    this.#keys = buffers();
    this.#values = buffers();
  }

  /**
   * Writes the keys and values of new tokens, [rows, heads, tokens, width], behind those read so far, and returns
   * everything up to them. `advance` moves on once all layers have written.
   */
  append(layer: number, key: Tensor, value: Tensor): { key: Tensor; value: Tensor } {
    const count = key.size(2);
    const keys = this.#keys[layer]!;
    const values = this.#values[layer]!;
    keys.narrow(2, this.length, count).copy_(key);
    values.narrow(2, this.length, count).copy_(value);
    return { key: keys.narrow(2, 0, this.length + count), value: values.narrow(2, 0, this.length + count) };
  }

  /** The whole buffers per layer, for a caller that writes column `length` itself and then advances. */
  next(): { readonly keys: readonly Tensor[]; readonly values: readonly Tensor[]; readonly length: number } {
    return { keys: this.#keys, values: this.#values, length: this.length };
  }

  advance(count: number): void {
    this.length += count;
  }

  select(index: Tensor): void {
    this.#replace((buffer) => {
      const smaller = this.#like(buffer, index.numel, this.capacity);
      smaller.narrow(2, 0, this.length).copy_(buffer.narrow(2, 0, this.length).indexSelect(0, index));
      return smaller;
    });
  }

  /**
   * Puts the rows of another cache behind those of this one, and disposes it. Of both, the last `length` columns stay, in
   * the columns up to `length`; where one has fewer, its first columns are zero, to be hidden by a mask.
   */
  join(other: KeyValueCache, length: number, capacity: number): void {
    const caches = [this, other];
    const joined = (pick: (cache: KeyValueCache) => readonly Tensor[]) => (_: Tensor, layer: number) => {
      const buffers = caches.map((cache) => pick(cache)[layer]!);
      const rows = buffers.map((buffer) => buffer.size(0));
      const all = this.#like(buffers[0]!, rows[0]! + rows[1]!, capacity);
      for (const [i, buffer] of buffers.entries()) {
        const count = Math.min(length, caches[i]!.length);
        const target = all.narrow(0, i === 0 ? 0 : rows[0]!, rows[i]!);
        target.narrow(2, 0, length - count).zero_();
        target.narrow(2, length - count, count).copy_(buffer.narrow(2, caches[i]!.length - count, count));
      }
      return all;
    };
    const keys = this.#keys.map(made(joined((cache) => cache.#keys)));
    const values = this.#values.map(made(joined((cache) => cache.#values)));
    for (const cache of caches) cache.dispose();
    this.#keys = keys;
    this.#values = values;
    this.length = length;
    this.capacity = capacity;
  }

  /** Starts every row with the columns of a cache of one row. */
  fill(prefix: KeyValueCache): void {
    const copyAll = (targets: readonly Tensor[], sources: readonly Tensor[]) =>
      targets.forEach((target, layer) => {
        tidy(() => target.narrow(2, 0, prefix.length).copy_(sources[layer]!.narrow(2, 0, prefix.length)));
      });
    copyAll(this.#keys, prefix.#keys);
    copyAll(this.#values, prefix.#values);
    this.length = prefix.length;
  }

  /** Starts one row with the first `count` columns of a cache of one row; the other columns up to `length` are zero. */
  fillRow(row: number, prefix: KeyValueCache, count: number, length: number): void {
    const copyAll = (targets: readonly Tensor[], sources: readonly Tensor[]) =>
      targets.forEach((target, layer) => {
        tidy(() => {
          const columns = target.select(0, row);
          columns.narrow(1, 0, count).copy_(sources[layer]!.select(0, 0).narrow(1, 0, count));
          columns.narrow(1, count, length - count).zero_();
        });
      });
    copyAll(this.#keys, prefix.#keys);
    copyAll(this.#values, prefix.#values);
  }

  /** A cache of one row with `count` columns of this one. */
  copyOf(row: number, start: number, count: number): KeyValueCache {
    const [, heads, , width] = this.#keys[0]!.shape as [number, number, number, number];
    const shape = { numHiddenLayers: this.#keys.length, numKeyValueHeads: heads, headDim: width };
    const copy = new KeyValueCache(shape, 1, count, this.#keys[0]!);
    const copyAll = (targets: readonly Tensor[], sources: readonly Tensor[]) =>
      targets.forEach((target, layer) => {
        tidy(() => target.copy_(sources[layer]!.narrow(0, row, 1).narrow(2, start, count)));
      });
    copyAll(copy.#keys, this.#keys);
    copyAll(copy.#values, this.#values);
    copy.length = count;
    return copy;
  }

  /** Bytes of all buffers. */
  get bytes(): number {
    return [...this.#keys, ...this.#values].reduce((sum, buffer) => sum + bytesOf(buffer), 0);
  }

  /** Moves the first `count` columns of a row `by` columns to the right; the columns that become free are zero. */
  shift(row: number, count: number, by: number): void {
    if (by === 0) return;
    for (const buffer of [...this.#keys, ...this.#values]) {
      tidy(() => {
        const columns = buffer.select(0, row);
        columns.narrow(1, by, count).copy_(columns.narrow(1, 0, count).clone());
        columns.narrow(1, 0, by).zero_();
      });
    }
  }

  dispose(): void {
    for (const buffer of [...this.#keys, ...this.#values]) buffer.dispose();
  }

  #like(buffer: Tensor, rows: number, capacity: number): Tensor {
    const [, heads, , width] = buffer.shape as [number, number, number, number];
    return empty([rows, heads, capacity, width], { dtype: buffer.dtype, device: buffer.device });
  }

  #replace(change: (buffer: Tensor) => Tensor): void {
    const replaced = (buffer: Tensor) => {
      const changed = made(change)(buffer);
      buffer.dispose();
      return changed;
    };
    this.#keys = this.#keys.map(replaced);
    this.#values = this.#values.map(replaced);
  }
}

/** The same function, freeing all it makes except its result. */
function made<Rest extends unknown[]>(make: (buffer: Tensor, ...rest: Rest) => Tensor) {
  return (buffer: Tensor, ...rest: Rest): Tensor => tidy(() => keep(make(buffer, ...rest)));
}
