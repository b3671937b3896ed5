import { names } from '@vlgym/core/internal';
import type { BlobStore } from '../blobs/blob-store.js';

export interface RedisQueueOptions {
  readonly url: string;
  readonly run: string;
  /** The run definition for workers, as JSON data; see `workerDefinition`. */
  readonly definition?: unknown;
  /**
   * The owner of these orders: the `id` of the ledger. Orders of another ledger under the same run name are removed, because
   * they would count as played.
   */
  readonly owner?: string | undefined;
  /** The trajectories of the learner: workers that cannot see what it holds take no orders. */
  readonly blobs?: BlobStore | undefined;
  /** Tries of an order that throws; a worker that dies is counted separately (`maxStalledCount` of the worker). Default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the first retry, doubled each time; default 2000. */
  readonly backoffMs?: number | undefined;
  /** Milliseconds of the orchestrator's term; default 15000. */
  readonly termMs?: number | undefined;
}

export const REDIS_QUEUE_OPTIONS = names<RedisQueueOptions>({
  url: 0,
  run: 0,
  definition: 0,
  owner: 0,
  blobs: 0,
  attempts: 0,
  backoffMs: 0,
  termMs: 0,
});
