/** RL4VLM's policy loss, which GTR-Turbo keeps: one ratio per step, thoughts weighted by λ (`docs/specs/algorithms.md` 3.1). */
import type { StepLossConfig } from '@vlgym/rl/config';
import { clipRatio, exceeds, max, ratioOf, stepLogProb } from '@vlgym/rl/losses';
import type { Actor } from '@vlgym/rl/update';

/** −min(ρ·A, clip(ρ)·A) of every step, [B]. */
export const stepActor: Actor<StepLossConfig> = ({ logProbs }, batch, options) => {
  const weights = batch.spanWeights(options);
  const A = batch.stepAdvantages;
  const ratio = ratioOf(stepLogProb(logProbs, weights), batch.oldStepLogProbs(weights));
  const clipped = clipRatio(ratio, options);
  const free = exceeds(ratio, options.ratioGuard) ? clipped : ratio;
  return { loss: max(free.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
};
