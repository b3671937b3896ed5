/** Generates a catalog folder of any size, using worker threads. */
import { checkNames, names } from '@vlgym/core/internal';
import { CatalogWriter, type WriteOptions } from '../catalog/catalog-writer.js';
import { checkedOptions } from '../env/options.js';
import { ThreadPool } from '../threads/thread-pool.js';
import type { GeneratedLines, GenerateTask } from './generate-lines.js';
import { GENERATOR_VERSION, type GeneratorOptions } from './generate-product.js';
import { generatorOptions } from './options.js';

/** Products per task of a thread. */
const PRODUCTS_PER_TASK = 5000;

const GENERATE_CATALOG_OPTIONS = names<GeneratorOptions>({ products: 0, seed: 0, visual: 0, wording: 0 });

/**
 * Writes `folder`: products, tables, search index. 1,200,000 products take about 2.2 GB of disk.
 *
 * @throws {GymError}  `FOLDER_EXISTS`, or an option is out of range.
 * @example
 * await generateCatalog('catalog', { products: 1_200_000, seed: 1 });
 * const env = new WebShopEnv({ catalog: { folder: 'catalog' } });
 */
export async function generateCatalog(
  folder: string,
  options: GeneratorOptions = {},
  { workers, onProgress }: WriteOptions = {},
): Promise<void> {
  checkNames('options', options, GENERATE_CATALOG_OPTIONS);
  const checked = checkedOptions(generatorOptions, options);
  const writer = await CatalogWriter.create(folder);
  try {
    const tasks: GenerateTask[] = [];
    for (let from = 0; from < checked.products; from += PRODUCTS_PER_TASK) {
      tasks.push({
        kind: 'generate',
        options: checked,
        from,
        to: Math.min(from + PRODUCTS_PER_TASK, checked.products),
      });
    }
    const waiting = new Map<number, GeneratedLines>();
    let next = 0;
    await using pool = new ThreadPool(Math.min(workers ?? ThreadPool.defaultSize, tasks.length));
    await pool.run<GenerateTask, GeneratedLines & { thread: number }>(tasks, async (lines, index) => {
      waiting.set(index, lines); // written in catalog order
      for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
        waiting.delete(next);
        next += 1;
        await writer.addLines(Buffer.from(ready.bytes.buffer), ready.lengths, ready.facts);
      }
      onProgress?.({ phase: 'writing products', done: writer.products, total: checked.products });
    });
    await writer.finish(
      { generator: { version: GENERATOR_VERSION, ...checked } },
      { ...(workers !== undefined && { workers }), ...(onProgress && { onProgress }) },
    );
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
