/**
 * The critic's squared error, with or without a clip around the old value.
 *
 * The clip is in units of value: with returns of 10 or 50 a clip of 0.1 limits the critic to moves of 0.1 per buffer.
 * Rules: `docs/specs/algorithms.md` 3.1 and 8.1. Pinned by `test/golden/algos/rl4vlm_step.json` and `vldac.json`.
 */
import type { Tensor } from '../tensor.js';

export interface ValueBatch {
  /** [B] */
  readonly returns: ArrayLike<number>;
  /** [B] needed for the clip. */
  readonly oldValues?: ArrayLike<number>;
}

export interface ValueLossOptions {
  /** ½·max((V−R)², (V_old + clip(V−V_old, ±clip) − R)²); off by default. */
  readonly clip?: number | null | undefined;
  /** Steps of the whole optimizer step; those of this batch by default. */
  readonly totalSteps?: number | undefined;
}

/** ½·mean (V−R)². At an exact tie of both squares the gradient is the average of both branches. @param values [B] */
export function valueLoss(values: Tensor, batch: ValueBatch, { clip, totalSteps }: ValueLossOptions = {}): Tensor {
  const rows = batch.returns.length;
  const returns = values.newTensor(batch.returns, [rows]);
  const error = values.sub(returns);
  let squared = error.mul(error);
  if (clip) {
    if (!batch.oldValues) throw new RangeError('a clipped value loss needs `oldValues`');
    const old = values.newTensor(batch.oldValues, [rows]);
    const clippedError = old.add(values.sub(old).clamp(-clip, clip)).sub(returns);
    squared = squared.maximum(clippedError.mul(clippedError));
  }
  return squared.sum().mul(0.5 / (totalSteps ?? rows));
}
