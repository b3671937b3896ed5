/** Opens a catalog folder: products are read on demand, the index is kept in memory as bytes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SearchIndex } from '../search/search-index.js';
import {
  asFloat64,
  asUint32,
  CATALOG_FILES,
  CATALOG_KIND,
  CatalogFormatError,
  ID_BYTES,
  readPart,
} from './disk-layout.js';
import { LineFile } from './line-file.js';
import { PHOTO_NAME, PHOTOS } from './photos.js';
import type { Product, ProductStore } from './product.js';

/** Maximum number of cached products. */
const MAX_CACHED = 2000;

export class DiskStore implements ProductStore {
  readonly #folder: string;
  readonly #lines: LineFile;
  readonly #ids: Buffer;
  readonly #order: Uint32Array;
  readonly #kept = new Map<number, Product>();

  constructor(folder: string) {
    this.#folder = folder;
    const offsets = asFloat64(readPart(folder, 'offsets'));
    this.#ids = readPart(folder, 'ids');
    this.#order = asUint32(readPart(folder, 'order'));
    const sizes = [this.#order.length, this.#ids.length / ID_BYTES, offsets.length - 1];
    if (sizes.some((size) => size !== sizes[0])) throw new CatalogFormatError(folder, `its files disagree: ${sizes}`);
    // Opened last: if something else failed, the file would stay open.
    this.#lines = new LineFile(join(folder, CATALOG_FILES.products), offsets);
  }

  get size(): number {
    return this.#order.length;
  }

  at(position: number): Product {
    if (!(position >= 0 && position < this.size)) {
      throw new RangeError(`no product at position ${position} of ${this.size}`);
    }
    const before = this.#kept.get(position);
    if (before) return before;
    const product = JSON.parse(this.#lines.line(position)) as Product;
    if (this.#kept.size >= MAX_CACHED) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(position, product);
    return product;
  }

  find(asin: string): number {
    const wanted = Buffer.alloc(ID_BYTES);
    if (wanted.write(asin) < Buffer.byteLength(asin)) return -1;
    let [low, high] = [0, this.size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = this.#ids.compare(wanted, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES);
      if (order === 0) return this.#order[middle]!;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  photo(name: string): Uint8Array | undefined {
    try {
      return PHOTO_NAME.test(name) ? readFileSync(join(this.#folder, PHOTOS, name)) : undefined;
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#lines.close();
  }
}

export interface OpenCatalog {
  readonly store: DiskStore;
  readonly index: SearchIndex;
  /** Products with instructions, in catalog order. */
  readonly instructed: Iterable<Product>;
  readonly pricing: (position: number) => readonly number[];
}

/**
 * @param folder  Written by `importCatalog` or `generateCatalog`.
 * @throws {CatalogFormatError | IndexFormatError}  The folder is not a catalog of this version.
 */
export function openCatalog(folder: string): OpenCatalog {
  const { kind } = aboutCatalog(folder);
  if (kind !== CATALOG_KIND) throw new CatalogFormatError(folder, `its kind is ${JSON.stringify(kind)}`);
  const index = new SearchIndex(readPart(folder, 'index'));
  const instructed = asUint32(readPart(folder, 'instructed'));
  const store = new DiskStore(folder); // last, since it opens a file
  return {
    store,
    index,
    instructed: {
      *[Symbol.iterator]() {
        for (const position of instructed) yield store.at(position);
      },
    },
    pricing: pricingOf(folder),
  };
}

/** Reads `catalog.json`. */
function aboutCatalog(folder: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readPart(folder, 'about').toString('utf8')) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CatalogFormatError) throw error;
    throw new CatalogFormatError(folder, 'catalog.json is not JSON', error);
  }
}

/** Reads the table when prices are drawn, then drops it. */
function pricingOf(folder: string): (position: number) => readonly number[] {
  let table: Float64Array | undefined;
  return (position) => {
    table ??= asFloat64(readPart(folder, 'pricing'));
    const low = table[2 * position]!;
    const high = table[2 * position + 1]!;
    if (2 * position + 2 >= table.length) table = undefined; // the last product
    return Number.isNaN(high) ? [low] : [low, high];
  };
}
