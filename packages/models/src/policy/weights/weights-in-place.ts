/**
 * Which tensors stand in the places of a model's parameters right now.
 *
 * Computations nest: a loss under the current weights asks for a distribution under the reference. Each computation puts
 * its tensors in place and leaves what it found.
 */
import type { AdapterUse } from '../../adapters/lora.js';
import type { Projection } from '../../layers/projection.js';
import { exchange, type Overrides } from '../overrides.js';

export class WeightsInPlace {
  readonly #projections: readonly Projection[];
  #overrides: Overrides | null = null;
  #adapters: AdapterUse = 'none';

  /** @param projections  Those that have adapters. */
  constructor(projections: Iterable<Projection>) {
    this.#projections = [...projections];
  }

  /** Computes with overrides in place of the model's tensors; null leaves the model's in place. */
  exchanging<T>(overrides: () => Overrides | null, compute: () => T): T {
    const before = this.#overrides;
    this.#put(null);
    try {
      // only now, with the model's tensors back in place: overrides may be made from them
      this.#put(overrides());
      return compute();
    } finally {
      this.#put(before);
    }
  }

  /** Computes with adapters next to the weights, or without: overrides contain their adapters. */
  adapting<T>(use: AdapterUse, compute: () => T): T {
    const before = this.#adapters;
    this.#setAdapters(use);
    try {
      return compute();
    } finally {
      this.#setAdapters(before);
    }
  }

  #put(next: Overrides | null): void {
    exchange(this.#overrides);
    exchange(next);
    this.#overrides = next;
  }

  #setAdapters(use: AdapterUse): void {
    this.#adapters = use;
    for (const projection of this.#projections) projection.adapted = use;
  }
}
