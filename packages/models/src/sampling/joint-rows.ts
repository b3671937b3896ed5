/** Rows that decode together, and how others join them. */
import { cat, keep, type Tensor, tidy } from '@vlgym/gpu';
import { disposePositions, joinPositions } from '../batch/positions.js';
import type { ModelCache, Positions } from '../language-model.js';
import { capacityFor, type KeyValueCache } from '../layers/key-value-cache.js';
import type { Response } from './response.js';

export interface Batch {
  /** One per row, in the order of the inputs. */
  slots: Response[];
  readonly cache: ModelCache;
  /** Positions of response tokens, [rows or 1, tokens, …]. */
  positions: Positions;
  /** First column of each row. */
  starts: number[];
  /** [rows, 1, 1, columns] or null if no column is hidden. */
  mask: Tensor | null;
  /** [rows, V] */
  scores: Tensor;
  /** bool [rows, V]: tokens in prompt or response; null if no penalty needs it. */
  seen: Tensor | null;
}

/** Before the first prompts are read. */
export const NO_ROWS: Batch = {
  slots: [],
  cache: { length: 0, select: () => {}, dispose: () => {} },
  positions: {},
  starts: [],
  mask: null,
  get scores(): Tensor {
    throw new TypeError('no prompt was processed');
  },
  seen: null,
};

/**
 * Both batches as one; what they were made of is disposed.
 *
 * @param options.spare  Columns to reserve for tokens to come.
 * @param options.mask   A mask that hides the columns before the first of each row; null if there are none.
 */
export function joinBatches(
  old: Batch,
  added: Batch,
  {
    spare,
    device,
    mask,
  }: {
    readonly spare: number;
    readonly device: string;
    readonly mask: (starts: readonly number[], columns: number) => Tensor | null;
  },
): Batch {
  const parts = [old, added];
  const columns = Math.max(...parts.flatMap(({ cache, starts }) => starts.map((start) => cache.length - start)));
  const starts = parts.flatMap(({ cache, starts }) => starts.map((start) => columns - (cache.length - start)));
  const capacity = capacityFor(columns + spare, device);
  (old.cache as KeyValueCache).join(added.cache as KeyValueCache, columns, capacity);
  const joined = (a: Tensor, b: Tensor) => {
    const both = tidy(() => keep(cat([a, b], 0)));
    a.dispose();
    b.dispose();
    return both;
  };
  old.mask?.dispose();
  added.mask?.dispose();
  return {
    slots: [...old.slots, ...added.slots],
    cache: old.cache,
    positions: joinPositions(old.positions, old.slots.length, added.positions, added.slots.length),
    starts,
    mask: mask(starts, capacity),
    scores: joined(old.scores, added.scores),
    seen: old.seen && added.seen && joined(old.seen, added.seen),
  };
}

export function disposeBatch(batch: Batch): void {
  if (batch === NO_ROWS) return;
  const { cache, positions, mask, scores, seen } = batch;
  cache.dispose();
  disposePositions(positions);
  for (const tensor of [mask, scores, seen]) tensor?.dispose();
}
