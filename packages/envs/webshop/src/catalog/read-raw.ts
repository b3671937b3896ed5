/** A catalog in the original's files, already parsed: for tests and small catalogs. Large ones: `importCatalog`. */
import type { AttributeRecord, HumanRecord } from './clean-product.js';
import { RowCleaner } from './clean-rows.js';
import type { LoadReport } from './load-report.js';
import type { Product } from './product.js';

export interface RawCatalog {
  /** Rows of `items_shuffle*.json`. */
  readonly products: readonly unknown[];
  /** `items_ins_v2*.json` */
  readonly attributes?: Readonly<Record<string, AttributeRecord>>;
  /** `items_human_ins.json` */
  readonly human?: Readonly<Record<string, readonly HumanRecord[]>>;
  /** Exact nouns per title, e.g. of spaCy. */
  readonly nouns?: Readonly<Record<string, readonly string[]>>;
}

export interface CatalogOptions {
  /** Read the first rows only. */
  readonly limit?: number;
}

export interface LoadedCatalog {
  readonly products: readonly Product[];
  readonly report: LoadReport;
}

/** @example const { products } = loadCatalog({ products: rows, attributes, human }, { limit: 1000 }); */
export function loadCatalog(
  { products: rows, attributes = {}, human = {}, nouns = {} }: RawCatalog,
  { limit = rows.length }: CatalogOptions = {},
): LoadedCatalog {
  const cleaner = new RowCleaner({
    attributes: (asin) => own(attributes, asin),
    human: (asin) => own(human, asin),
    nouns: (title) => own(nouns, title),
  });
  const products = rows.slice(0, limit).flatMap((row) => cleaner.clean(row) ?? []);
  return { products, report: cleaner.counter.report() };
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
