/**
 * A small random generator, one per product, so that product 1,000,000 does not need those before it.
 *
 * SplitMix32. These draws define a catalog, so any change needs a new `GENERATOR_VERSION`.
 */
export class Draws {
  #state: number;

  constructor(...keys: readonly number[]) {
    let state = 0x9e3779b9;
    for (const key of keys) state = mix(state ^ mix(key | 0));
    this.#state = state;
  }

  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mix(this.#state) >>> 0;
  }

  /** In [0, 1). */
  random(): number {
    return this.#next() / 4294967296;
  }

  /** An integer in [0, n). */
  below(n: number): number {
    return Math.floor(this.random() * n);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** An integer from `low` to `high`. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Draws early items far more often than late ones. */
  pickSkewed<T>(items: readonly T[]): T {
    const place = this.random();
    return items[Math.floor(place * place * items.length)]!;
  }

  /** Draws `count` different items, or all. */
  some<T>(items: readonly T[], count: number): T[] {
    const pool = [...items];
    const taken: T[] = [];
    while (taken.length < count && pool.length > 0) taken.push(pool.splice(this.below(pool.length), 1)[0]!);
    return taken;
  }
}

function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}
