/** The original's files made into a catalogue folder: read once as a stream, cleaned, written, indexed. */
import { stat } from 'node:fs/promises';
import { CatalogueWriter, type WriteOptions } from './catalogue-writer.js';
import type { AttributeRecord, HumanRecord } from './clean-product.js';
import { RowCleaner } from './clean-rows.js';
import { jsonEntries } from './json-stream.js';
import type { LoadReport } from './load-report.js';

export interface ImportSources {
  /** `items_shuffle*.json` */
  readonly products: string;
  /** `items_ins_v2*.json` */
  readonly attributes?: string;
  /** `items_human_ins.json` */
  readonly human?: string;
  /** A JSON object from title to nouns, e.g. tagged by spaCy: the reward is then exactly the original's. */
  readonly nouns?: string;
}

export interface ImportOptions extends WriteOptions {
  /** Read the first rows only, as the original's `num_products`. */
  readonly limit?: number;
}

/**
 * Writes `folder` from the original's files. Rows that cannot be used are skipped, counted and named in the report.
 *
 * @throws {GymError}  `FOLDER_EXISTS`, or `JSON_FORMAT` where a file is no whole JSON array or object.
 * @example
 * const report = await importCatalogue({ products: 'items_shuffle.json', attributes: 'items_ins_v2.json' }, 'catalogue');
 */
export async function importCatalogue(
  sources: ImportSources,
  folder: string,
  { limit = Number.POSITIVE_INFINITY, workers, onProgress }: ImportOptions = {},
): Promise<LoadReport> {
  await stat(sources.products); // before an hour of work
  const attributes = await table<AttributeRecord>(sources.attributes);
  const human = await table<readonly HumanRecord[]>(sources.human);
  const nouns = await table<readonly string[]>(sources.nouns);
  const cleaner = new RowCleaner({
    attributes: (asin) => attributes.get(asin),
    human: (asin) => human.get(asin),
    nouns: (title) => nouns.get(title),
  });
  const writer = await CatalogueWriter.create(folder);
  try {
    for await (const { value, problem } of jsonEntries(sources.products)) {
      if (cleaner.counter.rows >= limit) break;
      if (problem === undefined) {
        const product = cleaner.clean(value);
        if (product) await writer.add(product);
      } else {
        cleaner.counter.skip(cleaner.counter.rows, problem);
        cleaner.counter.rows += 1;
      }
      if (cleaner.counter.rows % 1000 === 0) onProgress?.({ phase: 'reading', done: cleaner.counter.rows, total: 0 });
    }
    const report = cleaner.counter.report();
    await writer.finish({ report }, { ...(workers !== undefined && { workers }), ...(onProgress && { onProgress }) });
    return report;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function table<T>(path: string | undefined): Promise<Map<string, T>> {
  const entries = new Map<string, T>();
  if (path === undefined) return entries;
  for await (const { key, value } of jsonEntries(path)) if (key !== undefined) entries.set(key, value as T);
  return entries;
}
