/** Writes a catalog folder, product by product, and its index. The folder appears when it is complete. */
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { byId } from '../search/build-index.js';
import { buildIndexPieces } from '../search/build-index-file.js';
import { CATALOG_FILES, CATALOG_KIND, factsOf, ID_BYTES, type ProductFacts } from './disk-layout.js';
import { PHOTOS } from './photos.js';
import type { Product } from './product.js';
import type { Progress } from './progress.js';
import { freeFolder, moveIntoPlace, openPartFolder, type PartFolder, removeStaleParts } from './target-folder.js';

export interface WriteOptions {
  /** Worker threads for indexing; default: one per core, at most 8. 0 uses this thread. */
  readonly workers?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const FLUSH = 4 << 20;

export class CatalogWriter {
  readonly #part: string;
  readonly #lock: PartFolder['lock'];
  readonly #offsets: number[] = [0];
  readonly #facts: ProductFacts[] = [];
  #lines: FileHandle | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writes: Promise<void> = Promise.resolve();

  private constructor(
    readonly folder: string,
    { path, lock }: PartFolder,
  ) {
    this.#part = path;
    this.#lock = lock;
  }

  /** @throws {FolderTakenError} The folder exists and is not empty. */
  static async create(folder: string): Promise<CatalogWriter> {
    const free = await freeFolder(folder);
    await removeStaleParts(free);
    const writer = new CatalogWriter(free, await openPartFolder(free));
    writer.#lines = await open(join(writer.#part, CATALOG_FILES.products), 'w');
    return writer;
  }

  get products(): number {
    return this.#facts.length;
  }

  async add(product: Product): Promise<void> {
    await this.addLines(Buffer.from(`${JSON.stringify(product)}\n`), undefined, [factsOf(product)]);
  }

  async addPhoto(name: string, bytes: Uint8Array): Promise<void> {
    const folder = join(this.#part, PHOTOS);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), bytes, { flush: true });
  }

  /** Appends finished lines, as threads make them. */
  async addLines(bytes: Buffer, lengths: ArrayLike<number> | undefined, facts: readonly ProductFacts[]): Promise<void> {
    let end = this.#offsets.at(-1)!;
    facts.forEach((fact, index) => {
      end += lengths?.[index] ?? bytes.length;
      this.#offsets.push(end);
      this.#facts.push(fact);
    });
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > FLUSH) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#writes = this.#writes.then(() => this.#lines!.appendFile(bytes)); // in order
    await this.#writes;
  }

  /** Writes the tables, builds the index, and moves the folder into place. */
  async finish(about: object, { workers, onProgress }: WriteOptions = {}): Promise<void> {
    await this.#flush();
    await this.#lines!.sync();
    await this.#lines!.close();
    this.#lines = undefined;
    const facts = this.#facts;
    const ids = facts.map(({ asin }) => asin);
    const order = byId(ids);
    const idBytes = Buffer.alloc(facts.length * ID_BYTES);
    order.forEach((position, place) => {
      idBytes.write(ids[position]!, place * ID_BYTES, ID_BYTES);
    });
    const pricing = Float64Array.from(
      { length: facts.length * 2 },
      (_, at) => facts[at >> 1]!.pricing[at & 1] ?? Number.NaN,
    );
    const instructed = Uint32Array.from(facts.flatMap((fact, position) => (fact.instructed ? [position] : [])));
    await this.#write('offsets', Float64Array.from(this.#offsets));
    await this.#write('ids', idBytes);
    await this.#write('order', order);
    await this.#write('pricing', pricing);
    await this.#write('instructed', instructed);
    const pieces = await buildIndexPieces(this.#part, order, { workers, onProgress });
    const index = await open(join(this.#part, CATALOG_FILES.index), 'w');
    for (const piece of pieces) await index.appendFile(piece);
    await index.sync();
    await index.close();
    const text = JSON.stringify({ kind: CATALOG_KIND, products: facts.length, ...about }, undefined, 2);
    await this.#write('about', Buffer.from(`${text}\n`));
    await this.#lock.release();
    await moveIntoPlace(this.#part, this.folder);
  }

  /** Removes everything written. */
  async abandon(): Promise<void> {
    await this.#lines?.close();
    await this.#lock.release();
    await rm(this.#part, { recursive: true, force: true });
  }

  async #write(name: keyof typeof CATALOG_FILES, array: NodeJS.ArrayBufferView): Promise<void> {
    await writeFile(join(this.#part, CATALOG_FILES[name]), array, { flush: true });
  }
}
