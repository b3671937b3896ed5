/** Builds the index of a catalog folder: worker threads invert chunks of documents, this thread merges them. */
import type { Progress } from '../catalog/progress.js';
import { ThreadPool } from '../threads/thread-pool.js';
import { CHUNK } from './build-index.js';
import type { IndexAnswer, IndexTask } from './index-worker.js';
import { type BuiltChunk, mergeChunks } from './merge-chunks.js';

export interface BuildOptions {
  readonly workers?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** @param order  Positions sorted by id. */
export async function buildIndexPieces(
  folder: string,
  order: Uint32Array,
  { workers, onProgress }: BuildOptions = {},
): Promise<Uint8Array[]> {
  const tasks: IndexTask[] = [];
  for (let from = 0; from < order.length; from += CHUNK) {
    const positions = order.slice(from, from + CHUNK);
    tasks.push({ kind: 'index', folder, from, to: from + positions.length, positions });
  }
  const chunks: BuiltChunk[] = [];
  const dictionaries = new Map<number, string[]>();
  let done = 0;
  await using pool = new ThreadPool(Math.min(workers ?? ThreadPool.defaultSize, tasks.length));
  await pool.run<IndexTask, IndexAnswer>(tasks, ({ chunk, newTerms, thread }, index) => {
    const dictionary = dictionaries.get(thread) ?? [];
    for (const term of newTerms) dictionary.push(term);
    dictionaries.set(thread, dictionary);
    chunks.push({ ...chunk, dictionary });
    done += tasks[index]!.positions.length;
    onProgress?.({ phase: 'indexing', done, total: order.length });
  });
  onProgress?.({ phase: 'merging', done: 0, total: 1 });
  const pieces = mergeChunks(chunks, order);
  onProgress?.({ phase: 'merging', done: 1, total: 1 });
  return pieces;
}
