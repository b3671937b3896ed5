/**
 * How far the agent is from another policy, per token and per step, on tokens that the agent sampled.
 *
 * x = log π_agent(token) − log π_other(token). Only k1 and k3 are unbiased for KL(agent ‖ other); the others punish
 * disagreement at any level. k1 can be negative and then, as a reward, pays the agent to leave. As losses, their gradients on the
 * agent's own samples are in expectation: of k1 zero, of k2 that of KL(agent ‖ other), of k3 that of KL(other ‖ agent).
 * Rules: `docs/specs/algorithms.md` 6.1, 6.2 and 19. Pinned by `test/golden/algos/kl_estimators.json`.
 */
import type { Tensor } from '../tensor.js';

export type KlEstimator = 'k1' | 'k2' | 'k3' | 'abs' | 'clipped' | 'forward';

/** `token-clip`: each token is clipped, then averaged. `mean-then-clip`: the mean of k1 is clipped (the paper's text). */
export type KlReduction = 'token-clip' | 'mean-then-clip';

/** Differences beyond this are clamped before an exponential (`docs/specs/algorithms.md` 19). */
export const MAX_LOG_RATIO = 20;

/** One token. `cap` bounds `clipped` from above; the published range is [0, 10]. */
export function klEstimate(x: number, kind: KlEstimator, cap = Number.POSITIVE_INFINITY): number {
  switch (kind) {
    case 'k1':
      return x;
    case 'k2':
      return (x * x) / 2;
    case 'k3': {
      const bounded = Math.max(x, -MAX_LOG_RATIO);
      return bounded + Math.exp(-bounded) - 1;
    }
    case 'abs':
      return Math.abs(x);
    case 'clipped':
      return Math.min(Math.max(x, 0), cap);
    case 'forward':
      return Math.max(-x, 0);
  }
}

/** The same for tensors of x; differentiable wherever the formula is. */
export function klEstimateTensor(x: Tensor, kind: KlEstimator, cap?: number): Tensor {
  switch (kind) {
    case 'k1':
      return x;
    case 'k2':
      return x.mul(x).mul(0.5);
    case 'k3': {
      const bounded = x.clamp(-MAX_LOG_RATIO);
      return bounded.add(bounded.neg().exp()).sub(1);
    }
    case 'abs':
      return x.abs();
    case 'clipped':
      return x.clamp(0, cap);
    case 'forward':
      return x.neg().clamp(0);
  }
}

export interface StepKlOptions {
  /** Default `clipped`. */
  readonly estimator?: KlEstimator | undefined;
  /** Upper bound of `clipped`, nats per token; default 10. */
  readonly cap?: number | undefined;
  /** Default `token-clip`. */
  readonly reduction?: KlReduction | undefined;
}

/**
 * One number per step: the mean estimate over the tokens of `mask` (the thought, or all). 0 over an empty mask.
 *
 * @param logProbs      [L] of the agent.
 * @param otherLogProbs [L] of the teacher or reference on the same tokens.
 */
export function stepKl(
  logProbs: ArrayLike<number>,
  otherLogProbs: ArrayLike<number>,
  mask: ArrayLike<number>,
  { estimator = 'clipped', cap = 10, reduction = 'token-clip' }: StepKlOptions = {},
): number {
  const perToken = reduction === 'mean-then-clip' ? 'k1' : estimator;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    count += 1;
    sum += klEstimate(logProbs[i]! - otherLogProbs[i]!, perToken, cap);
  }
  const mean = count > 0 ? sum / count : 0;
  return reduction === 'mean-then-clip' ? klEstimate(mean, 'clipped', cap) : mean;
}

/** KL(p ‖ q) over one whole vocabulary, from log-probabilities; never negative. */
export function exactKl(logP: ArrayLike<number>, logQ: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < logP.length; i++) {
    const p = Math.exp(logP[i]!);
    if (p > 0) sum += p * (logP[i]! - logQ[i]!);
  }
  return Math.max(sum, 0);
}

/** [..., V] × [..., V] log-probabilities → [...] KL(p ‖ q) per position; the gradient goes through p. */
export function exactKlTensor(logP: Tensor, logQ: Tensor): Tensor {
  return logP.exp().mul(logP.sub(logQ)).sum(-1);
}
