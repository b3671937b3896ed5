/**
 * PPO with one ratio per environment step, thoughts weighted by λ (RL4VLM, GTR, GTR-Turbo).
 *
 * Thoughts are long and actions short: without λ the thought would govern the ratio.
 * Rules: `docs/specs/algorithms.md` 3.1 and 3.3. Pinned by `test/golden/algos/rl4vlm_step.json`.
 */
import type { Tensor } from '../tensor.js';
import { logRatio } from './token-ppo.js';

export interface SpanWeights {
  /** [B*L] 1 on tokens of the thought. */
  readonly thoughtMask: ArrayLike<number>;
  /** [B*L] 1 on tokens of the action; disjoint. */
  readonly actionMask: ArrayLike<number>;
}

/** `all`: every token counts. `skip-first-two`: the first two tokens of each response are left out of the thought, as published. */
export type SpanConvention = 'all' | 'skip-first-two';

/** [B*L] λ on thought tokens, 1 on action tokens, 0 elsewhere. */
export function spanWeights(
  { thoughtMask, actionMask }: SpanWeights,
  rows: number,
  { thoughtCoefficient, span = 'all' }: { readonly thoughtCoefficient: number; readonly span?: SpanConvention },
): Float64Array {
  const length = thoughtMask.length / rows;
  return Float64Array.from({ length: thoughtMask.length }, (_, i) => {
    if (actionMask[i]) return 1;
    if (!thoughtMask[i] || (span === 'skip-first-two' && i % length < 2)) return 0;
    return thoughtCoefficient;
  });
}

/** [B] λ·Σ thought + Σ action of the log-probabilities. @param weights [B*L] from `spanWeights`. */
export function stepLogProb(logProbs: Tensor, weights: ArrayLike<number>): Tensor {
  return logProbs.mul(logProbs.newTensor(weights, logProbs.shape)).sum(1);
}

/** The same on plain numbers, for log-probabilities that were stored. */
export function stepLogProbs(logProbs: ArrayLike<number>, weights: ArrayLike<number>, rows: number): Float64Array {
  const length = weights.length / rows;
  const sums = new Float64Array(rows);
  for (let i = 0; i < weights.length; i++) if (weights[i]) sums[Math.floor(i / length)]! += weights[i]! * logProbs[i]!;
  return sums;
}

export interface StepPpoBatch {
  /** [B] */
  readonly oldStepLogProbs: ArrayLike<number>;
  /** [B] */
  readonly advantages: ArrayLike<number>;
  /** [B] 1 on steps that are trained; all by default. */
  readonly mask?: ArrayLike<number>;
  /** [B] constant factors on the step losses; none by default. */
  readonly importance?: ArrayLike<number>;
}

export interface StepPpoOptions {
  readonly clipLow: number;
  readonly clipHigh: number;
  /** If any ratio of the batch exceeds this, the unclipped branch is dropped for the whole batch; the published code has 10. */
  readonly ratioGuard?: number | null | undefined;
  /** Trained steps of the whole optimizer step; those of this batch by default. */
  readonly totalSteps?: number | undefined;
}

export interface StepPpoLoss {
  readonly loss: Tensor;
  /** [B] */
  readonly ratio: Tensor;
  /** The guard dropped the unclipped branch. */
  readonly guarded: boolean;
}

/**
 * −mean min(ρA, clip(ρ, 1 − clipLow, 1 + clipHigh)·A).
 *
 * The guard looks at one micro-batch at a time, so with it the loss depends on how steps are batched.
 *
 * @param stepLogProbs [B] with gradient, from `stepLogProb`.
 */
export function ppoStepLoss(stepLogProbs: Tensor, batch: StepPpoBatch, options: StepPpoOptions): StepPpoLoss {
  const { clipLow, clipHigh, ratioGuard, totalSteps } = options;
  const rows = batch.advantages.length;
  const trained = Float64Array.from({ length: rows }, (_, i) => (batch.mask ? batch.mask[i]! : 1));
  const count = totalSteps ?? trained.reduce((sum, m) => sum + m, 0);
  const weights = trained.map((m, i) => (m ? (1 / count) * (batch.importance?.[i] ?? 1) : 0));

  const negative = stepLogProbs.newTensor(batch.advantages, [rows]).neg();
  const ratio = logRatio(stepLogProbs, stepLogProbs.newTensor(batch.oldStepLogProbs, [rows])).exp();
  const clipped = ratio.clamp(1 - clipLow, 1 + clipHigh).mul(negative);
  const guarded = Boolean(ratioGuard) && Math.max(...asNumbers(ratio)) > ratioGuard!;
  const stepLoss = guarded ? clipped : ratio.mul(negative).maximum(clipped);
  return { loss: stepLoss.mul(stepLogProbs.newTensor(weights, [rows])).sum(), ratio, guarded };
}

const asNumbers = (tensor: Tensor): number[] => Array.from(tensor.detach().toArray() as Float32Array);
