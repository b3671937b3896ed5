/**
 * The order in which ALFWorld plays its games: shuffled once per cycle by NumPy's legacy generator.
 *
 * Rules: `docs/specs/alfworld.md` 11.2. `RandomState(seed)` is a Mersenne Twister seeded word by word, and `shuffle`
 * draws by masked rejection; the reference's shuffle vectors pin both.
 */
import { parseState, pythonRandomState } from '@vlgym/core';
import { PythonRandom, type PythonRandomState } from '@vlgym/core/random';
import { z } from 'zod';

/** ALFWorld's default seed. */
export const FIRST_SEED = 1234;

export interface GameOrderState {
  readonly random: PythonRandomState;
  readonly order: readonly number[];
  readonly position: number;
}

export class GameOrder {
  readonly #random = new PythonRandom(0);
  readonly #order: number[];
  #position = 0;

  /** @param count  Number of games, at least 1. */
  constructor(count: number, seed: number = FIRST_SEED) {
    this.#order = Array.from({ length: count }, (_, index) => index);
    this.#random.setState(legacyState(seed));
    this.#shuffle();
  }

  /** Index of the next game; a new cycle shuffles the previous order. */
  next(): number {
    if (this.#position === this.#order.length) {
      this.#shuffle();
      this.#position = 0;
    }
    const index = this.#order[this.#position]!;
    this.#position += 1;
    return index;
  }

  getState(): GameOrderState {
    return { random: this.#random.getState(), order: [...this.#order], position: this.#position };
  }

  /** @throws {SnapshotMismatchError} The state belongs to a different number of games. Nothing changes. */
  setState(state: unknown): void {
    const count = this.#order.length;
    const index = z
      .int()
      .min(0)
      .max(count - 1);
    const { random, order, position } = parseState(
      state,
      'alfworld/order',
      z.strictObject({
        random: pythonRandomState,
        order: z
          .array(index)
          .length(count)
          .refine((list) => new Set(list).size === count, { error: `each of ${count} games once` }),
        position: z.int().min(0).max(count),
      }),
    );
    this.#random.setState(random);
    this.#order.splice(0, this.#order.length, ...order);
    this.#position = position;
  }

  #shuffle(): void {
    const order = this.#order;
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.#upTo(last);
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
  }

  /** Draws an integer from 0 to `max`: 32 bits at a time until the masked value is not above it. */
  #upTo(max: number): number {
    const mask = 2 ** (32 - Math.clz32(max)) - 1;
    for (;;) {
      const value = (this.#random.getrandbits(32) & mask) >>> 0;
      if (value <= max) return value;
    }
  }
}

/** State of a Mersenne Twister after NumPy's seeding by one integer. */
function legacyState(seed: number): PythonRandomState {
  const words = new Uint32Array(624);
  words[0] = seed % 2 ** 32;
  for (let i = 1; i < words.length; i += 1) {
    words[i] = Math.imul(1812433253, words[i - 1]! ^ (words[i - 1]! >>> 30)) + i;
  }
  return { words: [...words], index: words.length };
}
