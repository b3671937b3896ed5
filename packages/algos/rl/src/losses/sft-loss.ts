/**
 * Supervised loss: mean negative log-probability over the labeled tokens.
 *
 * Rules: `docs/specs/algorithms.md` 4.1, 10 and decision 14. Pinned by `test/golden/algos/sft_loss.json`.
 */
import type { Tensor } from '../tensor.js';

/**
 * Token mean over the labeled positions of the whole batch; a sequence without labels contributes nothing.
 *
 * @param logProbs    [B, L] log-probabilities of the label tokens.
 * @param mask        [B*L] 1 on labeled tokens.
 * @param totalTokens Labeled tokens of the whole optimizer step; those of this batch by default.
 */
export function sftLoss(logProbs: Tensor, mask: ArrayLike<number>, totalTokens?: number): Tensor {
  let tokens = totalTokens ?? 0;
  if (totalTokens === undefined) for (let i = 0; i < mask.length; i++) if (mask[i]) tokens += 1;
  const weights = Float64Array.from({ length: mask.length }, (_, i) => (mask[i] ? -1 / tokens : 0));
  return logProbs.mul(logProbs.newTensor(weights, logProbs.shape)).sum();
}
