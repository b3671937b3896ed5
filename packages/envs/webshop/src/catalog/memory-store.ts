/** Products in memory, for catalogs of up to tens of thousands. */
import type { Product, ProductStore } from './product.js';

export class MemoryStore implements ProductStore {
  readonly #products: readonly Product[];
  readonly #positions: ReadonlyMap<string, number>;

  /** @param products  In catalog order, each asin once. */
  constructor(products: readonly Product[]) {
    this.#products = products;
    this.#positions = new Map(products.map(({ asin }, position) => [asin, position]));
  }

  get size(): number {
    return this.#products.length;
  }

  at(position: number): Product {
    const product = this.#products[position];
    if (!product) throw new RangeError(`no product at position ${position} of ${this.size}`);
    return product;
  }

  find(asin: string): number {
    return this.#positions.get(asin) ?? -1;
  }
}
