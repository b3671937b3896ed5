/**
 * Keys and values of the tokens a decoder has read: one buffer per layer, made once for the whole response.
 *
 * Prompts are padded on the left, so that all rows write their next token in the same column. The cache owns its memory
 * across `tidy`; `dispose` frees it.
 */
import { type DType, empty, keep, type Tensor, tidy } from '@vlgym/gpu';
import type { ModelCache } from '../language-model.js';

/** Names are those of the Qwen2 configuration in camelCase. */
export interface KeyValueShape {
  readonly numHiddenLayers: number;
  readonly numKeyValueHeads: number;
  readonly headDim: number;
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
    readonly capacity: number,
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

  advance(count: number): void {
    this.length += count;
  }

  select(index: Tensor): void {
    const shrink = (buffer: Tensor) => {
      const kept = tidy(() => {
        const { shape } = buffer;
        const smaller = empty([index.numel, ...shape.slice(1)], { dtype: buffer.dtype, device: buffer.device });
        smaller.narrow(2, 0, this.length).copy_(buffer.narrow(2, 0, this.length).indexSelect(0, index));
        return keep(smaller);
      });
      buffer.dispose();
      return kept;
    };
    this.#keys = this.#keys.map(shrink);
    this.#values = this.#values.map(shrink);
  }

  dispose(): void {
    for (const buffer of [...this.#keys, ...this.#values]) buffer.dispose();
  }
}
