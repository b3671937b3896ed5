/**
 * Log-probabilities and entropies of given tokens from logits that are already aligned with them.
 *
 * Rules: `docs/specs/algorithms.md` 12 and 18. Pinned by `test/golden/algos/token_ppo.json`.
 */
import type { Tensor } from '../tensor.js';

export interface TokenLogProbs {
  /** [B, L] log-softmax(logits / temperature) at the ids; 0 on padding. */
  readonly logProbs: Tensor;
  /** [B, L] entropy of the temperature-scaled distribution, nats; 0 on padding. */
  readonly entropies: Tensor;
}

/**
 * @param logits [B, L, V]; position l predicts id l.
 * @param ids    [B, L] int64.
 * @param mask   [B, L] 1 on tokens that count.
 */
export function tokenLogProbs(logits: Tensor, ids: Tensor, mask: Tensor, temperature = 1): TokenLogProbs {
  const distribution = logits.div(temperature).logSoftmax(-1);
  const logProbs = distribution.gather(2, ids.unsqueeze(2)).squeeze(2);
  const entropies = distribution.exp().mul(distribution).sum(-1).neg();
  return { logProbs: logProbs.mul(mask), entropies: entropies.mul(mask) };
}
