/**
 * The critic's squared error, with or without a clip around the old value, before it is averaged.
 *
 * The clip is in units of value: with returns of 10 or 50 a clip of 0.1 limits the critic to moves of 0.1 per buffer.
 * Rules: `docs/specs/algorithms.md` 3.1 and 8.1. Pinned by `test/golden/algos/rl4vlm_step.json` and `vldac.json`.
 */
import type { Tensor } from '../tensor.js';

/** Targets of a critic, one number per step [B] or per token [B, L]. */
export interface ValueTargets {
  readonly returns: Tensor;
  readonly oldValues: Tensor;
}

/**
 * ½·(V − R)², or with a clip ½·max((V − R)², (V_old + clip(V − V_old, ±clip) − R)²). At an exact tie of both squares the
 * gradient is the average of both branches.
 *
 * @param values [B] or [B, L]  @returns The same shape.
 */
export function valueLoss(values: Tensor, { returns, oldValues }: ValueTargets, clip: number | null = null): Tensor {
  const error = values.sub(returns);
  const squared = error.mul(error);
  if (clip === null) return squared.mul(0.5);
  const clippedError = oldValues.add(values.sub(oldValues).clamp(-clip, clip)).sub(returns);
  return squared.maximum(clippedError.mul(clippedError)).mul(0.5);
}
