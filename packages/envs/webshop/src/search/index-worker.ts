/** The indexing thread: reads documents of a catalog folder and inverts them. */
import { join } from 'node:path';
import { asFloat64, CATALOG_FILES, readPart } from '../catalog/disk-layout.js';
import { LineFile } from '../catalog/line-file.js';
import type { Product } from '../catalog/product.js';
import { ChunkBuilder, type IndexChunk } from './chunk-builder.js';
import { documentText } from './document-text.js';

/** Documents `from` to `to` in the order of ids, to be inverted by a thread. */
export interface IndexTask {
  readonly kind: 'index';
  readonly folder: string;
  readonly from: number;
  readonly to: number;
  /** Catalog positions of these documents. */
  readonly positions: Uint32Array;
}

export interface IndexAnswer {
  readonly chunk: IndexChunk;
  /** New terms of the thread's dictionary, in order. */
  readonly newTerms: readonly string[];
  readonly thread: number;
}

/** Runs in one thread and keeps its dictionary between tasks. */
export class IndexWorker {
  readonly #builder = new ChunkBuilder();
  #lines: LineFile | undefined;
  #known = 0;

  run({ folder, from, positions }: IndexTask): Omit<IndexAnswer, 'thread'> {
    this.#lines ??= new LineFile(join(folder, CATALOG_FILES.products), asFloat64(readPart(folder, 'offsets')));
    const chunk = this.#builder.build(from, texts(this.#lines, positions));
    const newTerms = this.#builder.terms.slice(this.#known);
    this.#known = this.#builder.terms.length;
    return { chunk, newTerms };
  }

  close(): void {
    this.#lines?.close();
  }
}

function* texts(lines: LineFile, positions: Uint32Array): Iterable<string> {
  for (const position of positions) yield documentText(searched(lines.line(position)));
}

/** The first key of a line that search does not need; those after it are not needed either. */
const REST = ',"optionImages":';

/**
 * The fields of a product that search reads, at the start of its line. Quotes within texts are escaped, so the key occurs
 * only there.
 */
function searched(line: string): Pick<Product, 'title' | 'description' | 'bulletPoints' | 'options'> {
  const end = line.indexOf(REST);
  const start = end < 0 ? undefined : (JSON.parse(`${line.slice(0, end)}}`) as Product);
  return start?.options === undefined ? (JSON.parse(line) as Product) : start;
}
