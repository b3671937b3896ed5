/** Builds an index over a small catalog in this thread. For large ones: `buildIndexPieces`. */
import { InvalidOptionError } from '@vlgym/core';
import type { ProductStore } from '../catalog/product.js';
import { compareText } from '../python/text.js';
import { ChunkBuilder } from './chunk-builder.js';
import { documentText } from './document-text.js';
import { mergeChunks } from './merge-chunks.js';
import { SearchIndex } from './search-index.js';

/** Documents per chunk. */
export const CHUNK = 32_768;

/** Builds an index over texts with ids; positions of hits are indices of `texts`. */
export function indexTexts(ids: readonly string[], texts: readonly string[]): SearchIndex {
  const positions = byId(ids);
  const builder = new ChunkBuilder();
  const chunks = [];
  for (let first = 0; first < positions.length || first === 0; first += CHUNK) {
    const part = [...positions.subarray(first, first + CHUNK)].map((position) => texts[position]!);
    chunks.push({ ...builder.build(first, part), dictionary: builder.terms });
  }
  return new SearchIndex(Buffer.concat(mergeChunks(chunks, positions)).subarray());
}

/**
 * @throws {InvalidOptionError} Not a store. A list of products becomes one with `new MemoryStore(products)`.
 * @example
 * const index = indexProducts(new MemoryStore(products));
 */
export function indexProducts(products: ProductStore): SearchIndex {
  // A list has no `size`: its index would be empty without a word.
  if (!Number.isSafeInteger(products?.size) || typeof products.at !== 'function') {
    const given = Array.isArray(products) ? `a list of ${products.length}` : products;
    throw new InvalidOptionError('products', given, 'a store of products', 'wrap a list: new MemoryStore(products)');
  }
  const all = Array.from({ length: products.size }, (_, position) => products.at(position));
  return indexTexts(
    all.map(({ asin }) => asin),
    all.map(documentText),
  );
}

/** Positions sorted by id. */
export function byId(ids: readonly string[]): Uint32Array {
  return Uint32Array.from(ids, (_, position) => position).sort((a, b) => compareText(ids[a]!, ids[b]!));
}
