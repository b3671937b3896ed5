/** Loads a catalog from the original's parsed files, for tests and small catalogs. For large ones: `importCatalog`. */
import { checkNames, names } from '@vlgym/core/internal';
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
  /** Nouns per title, e.g. from spaCy. */
  readonly nouns?: Readonly<Record<string, readonly string[]>>;
}

export interface CatalogOptions {
  /** Read only the first rows. */
  readonly limit?: number | undefined;
}

export interface LoadedCatalog {
  readonly products: readonly Product[];
  readonly report: LoadReport;
}

const LOAD_CATALOG_OPTIONS = names<CatalogOptions>({ limit: 0 });

/** @example const { products } = loadCatalog({ products: rows, attributes, human }, { limit: 1000 }); */
export function loadCatalog(
  { products: rows, attributes = {}, human = {}, nouns = {} }: RawCatalog,
  options: CatalogOptions = {},
): LoadedCatalog {
  checkNames('options', options, LOAD_CATALOG_OPTIONS);
  const { limit = rows.length } = options;

  const cleaner = new RowCleaner({
    attributes: (asin) => ownValue(attributes, asin),
    human: (asin) => ownValue(human, asin),
    nouns: (title) => ownValue(nouns, title),
  });
  const products = rows.slice(0, limit).flatMap((row) => cleaner.clean(row) ?? []);
  return { products, report: cleaner.counter.report() };
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
