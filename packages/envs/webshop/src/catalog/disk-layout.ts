/** The files of a catalog folder, and how they are read and written. */
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { readRegularBytesSync } from '@vlgym/core/internal';
import type { Product } from './product.js';

export const CATALOG_KIND = 'vlgym-webshop-catalog/1';

export const CATALOG_FILES = {
  /** Kind and origin. */
  about: 'catalog.json',
  /** One product per line, catalog order. */
  products: 'products.jsonl',
  /** Float64 per product, and one more: start of its line. */
  offsets: 'offsets.bin',
  /** Ten bytes per product, sorted, padded with zeros. */
  ids: 'ids.bin',
  /** Uint32 per entry of `ids`: position in the catalog. */
  order: 'order.bin',
  /** Two Float64 per product: ends of the price range; the second is NaN for a single price. */
  pricing: 'pricing.bin',
  /** Uint32: positions of products with instructions. */
  instructed: 'instructed.bin',
  /** The search index. */
  index: 'index.bin',
} as const;

export const ID_BYTES = 10;
/** Maximum size of one buffer. */
const MAX_PART_BYTES = 2 ** 31 - 1;

/** Facts about a product that are stored in separate files. */
export interface ProductFacts {
  readonly asin: string;
  readonly pricing: readonly number[];
  readonly instructed: boolean;
}

export function factsOf({ asin, pricing, instructions, instruction }: Product): ProductFacts {
  return { asin, pricing, instructed: instructions !== undefined || instruction !== undefined };
}

/** Reads a file of a catalog into newly allocated memory. @throws {CatalogFormatError} */
export function readPart(folder: string, name: keyof typeof CATALOG_FILES): Buffer {
  const path = join(folder, CATALOG_FILES[name]);
  try {
    const bytes = readRegularBytesSync(path, MAX_PART_BYTES);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (cause) {
    throw new CatalogFormatError(folder, `${CATALOG_FILES[name]} cannot be read`, cause);
  }
}

export function asUint32(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

export function asFloat64(bytes: Buffer): Float64Array {
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** The folder is not a catalog, or is incomplete. */
export class CatalogFormatError extends GymError {
  constructor(
    readonly folder: string,
    what: string,
    cause?: unknown,
  ) {
    super(`${folder} is not a catalog: ${what}.`, {
      code: 'CATALOG_FORMAT',
      value: folder,
      expected: `a folder of the kind ${CATALOG_KIND}`,
      hint: 'write one with `importCatalog` or `generateCatalog`',
      cause,
    });
  }
}
