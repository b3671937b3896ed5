/** A made-up catalog that is made when it is looked at: no memory, no files, any size. */

import { MemoryStore } from '../catalog/memory-store.js';
import type { Product, ProductStore } from '../catalog/product.js';
import { type GeneratorOptions, ProductGenerator } from './generate-product.js';

/** @returns The products of the catalog in memory; 1,000 take about 4 MB. */
export function generateProducts(options: GeneratorOptions = {}): Product[] {
  const generator = new ProductGenerator(options);
  return Array.from({ length: generator.size }, (_, position) => generator.product(position));
}

export function generatedStore(options: GeneratorOptions = {}): ProductStore {
  return new MemoryStore(generateProducts(options));
}
