/** A catalogue as a folder: what lies in it and how it is read and written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import type { Product } from './product.js';

export const CATALOGUE_KIND = 'vlgym-webshop-catalogue/1';

export const CATALOGUE_FILES = {
  /** What it is and where it comes from. */
  about: 'catalogue.json',
  /** One product per line, catalogue order. */
  products: 'products.jsonl',
  /** Float64 per product and one more: where its line begins. */
  offsets: 'offsets.bin',
  /** Ten bytes per product, sorted, filled up with zeros. */
  ids: 'ids.bin',
  /** Uint32 per entry of `ids`: position in the catalogue. */
  order: 'order.bin',
  /** Two Float64 per product: the ends of the price range; the second is NaN where there is one price. */
  pricing: 'pricing.bin',
  /** Uint32: positions of products with instructions. */
  instructed: 'instructed.bin',
  /** The search index. */
  index: 'index.bin',
} as const;

export const ID_BYTES = 10;

/** The facts about a product that have files of their own. */
export interface ProductFacts {
  readonly asin: string;
  readonly pricing: readonly number[];
  readonly instructed: boolean;
}

export function factsOf({ asin, pricing, instructions, instruction }: Product): ProductFacts {
  return { asin, pricing, instructed: instructions !== undefined || instruction !== undefined };
}

/** Reads a file of a catalogue into memory of its own. @throws {CatalogueFormatError} */
export function readPart(folder: string, name: keyof typeof CATALOGUE_FILES): Buffer {
  const path = join(folder, CATALOGUE_FILES[name]);
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CatalogueFormatError(folder, `${CATALOGUE_FILES[name]} cannot be read`, cause);
  }
}

export function asUint32(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

export function asFloat64(bytes: Buffer): Float64Array {
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** A folder that is no catalogue, or one that was not written to its end. */
export class CatalogueFormatError extends GymError {
  constructor(
    readonly folder: string,
    what: string,
    cause?: unknown,
  ) {
    super(`${folder} is not a catalogue: ${what}.`, {
      code: 'CATALOGUE_FORMAT',
      value: folder,
      expected: `a folder of the kind ${CATALOGUE_KIND}`,
      hint: 'write one with `importCatalogue` or `generateCatalogue`',
      cause,
    });
  }
}
