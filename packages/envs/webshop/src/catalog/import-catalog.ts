/** Imports the original's files, or other products, into a catalog folder: read once as a stream, cleaned, written, indexed. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { CatalogWriter, type WriteOptions } from './catalog-writer.js';
import type { AttributeRecord, HumanRecord } from './clean-product.js';
import { RowCleaner } from './clean-rows.js';
import { csvRecords } from './csv.js';
import { jsonEntries } from './json-stream.js';
import type { LoadReport } from './load-report.js';
import { PhotoKeeper } from './photos.js';
import type { Progress } from './progress.js';

export interface ImportSources {
  /**
   * `items_shuffle*.json`; or your products, as CSV (`.csv`, `.tsv`), lines of JSON (`.jsonl`) or a JSON array:
   * the columns of `own-row.ts`, with photographs as files next to it or data URLs.
   */
  readonly products: string;
  /** `items_ins_v2*.json` */
  readonly attributes?: string | undefined;
  /** `items_human_ins.json` */
  readonly human?: string | undefined;
  /** JSON object from title to nouns, e.g. tagged by spaCy; makes the reward exactly the original's. */
  readonly nouns?: string | undefined;
}

export interface ImportOptions extends WriteOptions {
  /** Read only the first rows, like the original's `num_products`. */
  readonly limit?: number | undefined;
}

const IMPORT_CATALOG_OPTIONS = names<ImportOptions>({ limit: 0, workers: 0, onProgress: 0 });

/**
 * Writes `folder` from the original's files. Unusable rows are skipped, counted, and named in the report.
 *
 * @throws {GymError}  `FOLDER_EXISTS`; `JSON_FORMAT`: a file is not a complete JSON array or object; `NO_PRODUCTS`.
 * @example
 * const report = await importCatalog({ products: 'items_shuffle.json', attributes: 'items_ins_v2.json' }, 'catalog');
 */
export async function importCatalog(
  sources: ImportSources,
  folder: string,
  options: ImportOptions = {},
): Promise<LoadReport> {
  checkNames('options', options, IMPORT_CATALOG_OPTIONS);
  const { limit = Number.POSITIVE_INFINITY, workers, onProgress } = options;
  await checkSources(sources); // before an hour of work
  const writer = await CatalogWriter.create(folder);
  try {
    const attributes = await table<AttributeRecord>(sources.attributes, 'reading attributes', onProgress);
    const human = await table<readonly HumanRecord[]>(sources.human, 'reading instructions', onProgress);
    const nouns = await table<readonly string[]>(sources.nouns, 'reading nouns', onProgress);
    const cleaner = new RowCleaner({
      attributes: (asin) => attributes.get(asin),
      human: (asin) => human.get(asin),
      nouns: (title) => nouns.get(title),
    });
    const photos = new PhotoKeeper(sources.products, (name, bytes) => writer.addPhoto(name, bytes));
    for await (const { value, problem } of productRows(sources.products)) {
      if (cleaner.counter.rows >= limit) break;
      if (problem === undefined) {
        const product = cleaner.clean(value);
        const row = cleaner.counter.rows - 1;
        const leftOut = (reason: string) => cleaner.counter.skip(row, reason, product!.asin);
        if (product) await writer.add(await photos.keep(product, leftOut));
      } else {
        cleaner.counter.skip(cleaner.counter.rows, problem);
        cleaner.counter.rows += 1;
      }
      if (cleaner.counter.rows % STRIDE === 0) onProgress?.({ phase: 'reading', done: cleaner.counter.rows, total: 0 });
    }
    const report = {
      ...cleaner.counter.report(),
      ...(photos.kept > 0 && { photos: photos.kept }),
      ...(photos.elsewhere > 0 && { drawn: photos.elsewhere }),
    };
    if (report.products === 0) throw new NoProductsError(sources.products, report);
    await writer.finish({ report }, { ...(workers !== undefined && { workers }), ...(onProgress && { onProgress }) });
    return report;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** The original download's name of each file. */
const ORIGINALS: Readonly<Record<keyof ImportSources, string>> = {
  products: 'the products, as in items_shuffle.json',
  attributes: 'their attributes, as in items_ins_v2.json',
  human: 'the instructions of people, as in items_human_ins.json',
  nouns: 'nouns by title; leave it out to tag titles while items_*.json are imported',
};

/** @throws {GymError} `FILE_MISSING` */
async function checkSources(sources: ImportSources): Promise<void> {
  for (const [name, expected] of Object.entries(ORIGINALS)) {
    const path = sources[name as keyof ImportSources];
    if (path === undefined) continue;
    const there = await stat(path).catch((cause: NodeJS.ErrnoException) => cause);
    if (!(there instanceof Error) && !there.isDirectory()) continue;
    throw new GymError(`The file ${path} does not exist.`, {
      code: 'FILE_MISSING',
      value: path,
      expected,
      cause: there,
      hint: 'correct the path, or get the files: `vlgym webshop --help` says how; without them, `generateCatalog` makes a catalog',
    });
  }
}

/** Rows of a product file, by its ending. */
async function* productRows(path: string): AsyncGenerator<{ readonly value: unknown; readonly problem?: string }> {
  if (/\.[ct]sv$/i.test(path)) for await (const value of csvRecords(path)) yield { value };
  else if (/\.(?:jsonl|ndjson)$/i.test(path)) yield* jsonLines(path);
  else yield* jsonEntries(path, 'array');
}

async function* jsonLines(path: string): AsyncGenerator<{ readonly value: unknown; readonly problem?: string }> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    try {
      yield { value: JSON.parse(line) as unknown };
    } catch {
      yield { value: undefined, problem: 'not JSON' };
    }
  }
}

/** Number of entries between two progress reports. */
const STRIDE = 1000;

async function table<T>(
  path: string | undefined,
  phase: Progress['phase'],
  onProgress: ImportOptions['onProgress'],
): Promise<Map<string, T>> {
  const entries = new Map<string, T>();
  if (path === undefined) return entries;
  for await (const { key, value, problem } of jsonEntries(path, 'object')) {
    // An unreadable record gets a value for which its row is refused.
    entries.set(key!, (problem ?? value) as T);
    if (entries.size % STRIDE === 0) onProgress?.({ phase, done: entries.size, total: 0 });
  }
  onProgress?.({ phase, done: entries.size, total: entries.size });
  return entries;
}

/** The product file has no usable row. */
export class NoProductsError extends GymError {
  constructor(
    readonly path: string,
    readonly report: LoadReport,
  ) {
    const reasons = Object.entries(report.skipped).map(([reason, count]) => `${reason} (${count})`);
    super(`${path} has no products.`, {
      code: 'NO_PRODUCTS',
      value: path,
      expected: 'rows of products, as in items_shuffle.json, or other products with a title',
      hint: reasons.length > 0 ? `its rows were skipped: ${reasons.join(', ')}` : 'its array is empty: check the file',
    });
  }
}
