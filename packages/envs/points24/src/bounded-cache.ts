/**
 * A cache of limited size: it creates missing values and evicts the least recently used ones. `undefined` cannot be a
 * value. Until the cache is full, entries keep the order in which they came: moving one costs more than finding it.
 */
export class BoundedCache<Key, Value> {
  readonly #limit: number;
  readonly #entries = new Map<Key, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#entries.size < this.#limit) return known;
    const value = known === undefined ? make() : known;
    this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value as Key);
  }
}
