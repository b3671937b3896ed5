/**
 * Probability ratios between the current policy and the policy before the update, and their clipping.
 *
 * An algorithm's policy loss is written with these in its own file, one number per token or per step; `optimize` masks,
 * weighs and sums it. Rules: `docs/specs/algorithms.md` 3.1, 3.3, 8.1 and 19. Pinned by `test/golden/algos/token_ppo.json`,
 * `vldac.json` and `rl4vlm_step.json`.
 */
import type { Tensor } from '../tensor.js';
import { MAX_LOG_RATIO } from './kl-estimators.js';

/** ρ = π / π_old from log-probabilities of equal shape; the log-ratio is clamped to ±20, so that ρ stays finite. */
export const ratioOf = (logProbs: Tensor, oldLogProbs: Tensor): Tensor =>
  logProbs.sub(oldLogProbs).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO).exp();

/** clip(ρ, 1 − clipLow, 1 + clipHigh). */
export const clipRatio = (ratio: Tensor, { clipLow, clipHigh }: ClipBounds): Tensor =>
  ratio.clamp(1 - clipLow, 1 + clipHigh);

/** The larger of two losses, entry by entry. At an exact tie each gets half of the gradient. */
export const max = (a: Tensor, b: Tensor): Tensor => a.maximum(b);

export interface ClipBounds {
  /** The ratio may fall to 1 − clipLow … */
  readonly clipLow: number;
  /** … and rise to 1 + clipHigh. */
  readonly clipHigh: number;
}

export interface Spans {
  /** [B*L] 1 on tokens of the thought. */
  readonly thoughtMask: ArrayLike<number>;
  /** [B*L] 1 on tokens of the action; disjoint. */
  readonly actionMask: ArrayLike<number>;
}

/** `all`: every token counts. `skip-first-two`: the first two tokens of each response are left out of the thought, as published. */
export type SpanConvention = 'all' | 'skip-first-two';

export interface SpanOptions {
  /** λ, in [0, 1]. */
  readonly thoughtCoefficient: number;
  readonly span?: SpanConvention | undefined;
}

/** [B*L] λ on thought tokens, 1 on action tokens, 0 elsewhere. */
export function spanWeights(
  { thoughtMask, actionMask }: Spans,
  rows: number,
  { thoughtCoefficient, span = 'all' }: SpanOptions,
): Float64Array {
  const length = thoughtMask.length / rows;
  return Float64Array.from({ length: thoughtMask.length }, (_, i) => {
    if (actionMask[i]) return 1;
    if (!thoughtMask[i] || (span === 'skip-first-two' && i % length < 2)) return 0;
    return thoughtCoefficient;
  });
}

/** [B] Σ_l w_l·log π(y_l). @param weights [B*L] from `spanWeights`. */
export const stepLogProb = (logProbs: Tensor, weights: ArrayLike<number>): Tensor =>
  logProbs.mul(logProbs.newTensor(weights, logProbs.shape)).sum(1);

/** The same on plain numbers, for log-probabilities that were stored. */
export function stepLogProbs(logProbs: ArrayLike<number>, weights: ArrayLike<number>, rows: number): Float64Array {
  const length = weights.length / rows;
  const sums = new Float64Array(rows);
  for (let i = 0; i < weights.length; i++) if (weights[i]) sums[Math.floor(i / length)]! += weights[i]! * logProbs[i]!;
  return sums;
}

/** One ratio of the batch is above the guard, so that its unclipped branch is to be dropped; the published code has 10. */
export const exceeds = (ratio: Tensor, guard: number | null): boolean =>
  guard !== null && Array.from(ratio.detach().toArray(), Number).some((each) => each > guard);
