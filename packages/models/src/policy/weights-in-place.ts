/**
 * Which tensors stand in the places of a model's parameters right now.
 *
 * Computations nest: a loss under the current weights asks for a distribution under the reference. Each computation puts
 * its tensors in place and leaves what it found.
 */
import type { Projection } from '../layers/projection.js';
import { exchange, type Overrides } from './overrides.js';

export class WeightsInPlace {
  readonly #projections: readonly Projection[];
  #overrides: Overrides | null = null;
  #adaptersActive = false;

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

  /** Computes with adapters beside the weights, or without: overrides contain their adapters. */
  adapting<T>(active: boolean, compute: () => T): T {
    const before = this.#adaptersActive;
    this.#setAdapters(active);
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

  #setAdapters(active: boolean): void {
    this.#adaptersActive = active;
    for (const projection of this.#projections) projection.adapted = active;
  }
}
