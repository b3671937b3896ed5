/** A catalog that is generated in memory. */

import { MemoryStore } from '../catalog/memory-store.js';
import type { Product, ProductStore } from '../catalog/product.js';
import { type GeneratorOptions, ProductGenerator } from './generate-product.js';

/** Generates all products of a catalog; 1,000 take about 4 MB. */
export function generateProducts(options: GeneratorOptions = {}): Product[] {
  const generator = new ProductGenerator(options);
  return Array.from({ length: generator.size }, (_, position) => generator.product(position));
}

export function generatedStore(options: GeneratorOptions = {}): ProductStore {
  return new MemoryStore(generateProducts(options));
}
