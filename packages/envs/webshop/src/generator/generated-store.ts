/** A catalog that is generated in memory. */

import { checkNames, names } from '@vlgym/core/internal';
import { MemoryStore } from '../catalog/memory-store.js';
import type { Product, ProductStore } from '../catalog/product.js';
import { type GeneratorOptions, ProductGenerator } from './generate-product.js';

const GENERATE_PRODUCTS_OPTIONS = names<GeneratorOptions>({ products: 0, seed: 0, visual: 0, wording: 0 });

/** Generates all products of a catalog; 1,000 take about 4 MB. */
export function generateProducts(options: GeneratorOptions = {}): Product[] {
  checkNames('options', options, GENERATE_PRODUCTS_OPTIONS);

  const generator = new ProductGenerator(options);
  return Array.from({ length: generator.size }, (_, position) => generator.product(position));
}

export function generatedStore(options: GeneratorOptions = {}): ProductStore {
  return new MemoryStore(generateProducts(options));
}
