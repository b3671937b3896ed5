/** A map that makes what it lacks and forgets what was longest unused, so that a cache never grows without end. */
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
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const value = make();
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value as Key);
    return value;
  }
}
