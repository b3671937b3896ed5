/** Factors that a warm start taught, which stay next to the base (`LoraAdapter.start`): those of a checkpoint may have any rank. */
import type { DType, Tensor } from '@vlgym/gpu';
import { type AdaptedWeight, adapterNames } from '../../adapters/attach-adapters.js';

export interface TensorLayout {
  readonly dtype: string;
  readonly shape: readonly number[];
}

interface Saved {
  /** The current set of a checkpoint. */
  readonly saved: ReadonlyMap<string, Tensor>;
  readonly adapters: readonly AdaptedWeight[];
  readonly dtype: DType;
}

/** Sets the shapes of start factors to those of a checkpoint. */
export function layStart(current: Map<string, TensorLayout>, { saved, adapters, dtype }: Saved): void {
  for (const adapted of adapters) {
    const { startA, startB } = adapterNames(adapted);
    const [rank] = saved.get(startA)?.shape ?? saved.get(startB)?.shape.slice(1) ?? [];
    current.delete(startA);
    current.delete(startB);
    if (rank === undefined) continue;
    current.set(startA, { dtype, shape: [rank, adapted.projection.inFeatures] });
    current.set(startB, { dtype, shape: [adapted.weight.rows, rank] });
  }
}

/** Takes the start factors of a checkpoint; adapters that it has none for lose theirs. */
export function restoreStart(current: ReadonlyMap<string, Tensor>, adapters: readonly AdaptedWeight[]): void {
  for (const adapted of adapters) {
    const { startA, startB } = adapterNames(adapted);
    const [a, b] = [current.get(startA), current.get(startB)];
    adapted.adapter.setStart(a && b ? { a, b } : null);
  }
}
