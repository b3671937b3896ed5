/** Converts the rows of a catalog file to products in order; unusable rows are counted and named. */
import {
  type AttributeRecord,
  asinOf,
  BrokenRow,
  cleanProduct,
  type HumanRecord,
  type ProductRecords,
} from './clean-product.js';
import { LoadCounter } from './load-report.js';
import { isOwnRow, ownRow } from './own-row.js';
import type { Product } from './product.js';

export interface CatalogRecords {
  readonly attributes?: (asin: string) => AttributeRecord | undefined;
  readonly human?: (asin: string) => readonly HumanRecord[] | undefined;
  /** Exact nouns per title. */
  readonly nouns?: (title: string) => readonly string[] | undefined;
}

/** Cleans rows one by one; of rows with equal asins, the first is kept. */
export class RowCleaner {
  readonly counter = new LoadCounter();
  readonly #seen = new Set<string>();
  readonly #records: CatalogRecords;

  constructor(records: CatalogRecords = {}) {
    this.#records = records;
  }

  /** @returns `undefined` if the row is skipped. */
  clean(given: unknown): Product | undefined {
    const number = this.counter.rows;
    this.counter.rows += 1;
    let name = (given as { asin?: unknown } | null)?.asin;
    try {
      const { row, records } = isOwnRow(given) ? ownRow(given, number) : { row: given, records: undefined };
      name = (row as { asin?: unknown } | null)?.asin;
      const found = asinOf(row);
      if ('skip' in found) this.counter.skip(number, found.skip, name);
      else if (this.#seen.has(found.asin)) this.counter.skip(number, 'asin seen before', name);
      else return this.#product(number, row as Record<string, unknown>, found.asin, records);
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error;
      this.counter.skip(number, error.message, name);
    }
    return undefined;
  }

  #product(number: number, row: Record<string, unknown>, asin: string, own: ProductRecords = {}): Product {
    const { attributes, human, nouns } = this.#records;
    const records = {
      attributes: attributes?.(asin) ?? own.attributes,
      human: human?.(asin) ?? own.human,
      nouns: nouns?.(String(row.name)),
    };
    const product = cleanProduct(row, asin, records, (reason) => this.counter.skip(number, reason, asin));
    this.#seen.add(asin);
    this.counter.products += 1;
    return product;
  }
}
