/**
 * Entropy regularization with a band around the usual entropy of a step (EPO).
 *
 * The published penalty is piecewise constant and therefore carries no gradient: it only changes the logged loss.
 * `squared` is a differentiable variant: the squared distance to the band.
 * Rules: `docs/specs/algorithms.md` 9.9. Pinned by `test/golden/algos/entropy_smoothing.json`.
 */
import type { Tensor } from '../tensor.js';

export interface EntropyBandOptions {
  /** The band is [low·h, high·h] around the running mean entropy h; defaults 0.8 and 1.2. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** `constant` as published (default), or `squared` distance to the band. */
  readonly form?: 'constant' | 'squared' | undefined;
  /** For `constant`; default 0.1. */
  readonly outOfRangePenalty?: number | undefined;
  /** Default 0.001. */
  readonly entropyCoefficient?: number | undefined;
  /** Default 1. */
  readonly smoothingCoefficient?: number | undefined;
}

export interface EntropyBandLoss {
  /** −coefficient·(mean entropy − smoothing·mean penalty). */
  readonly loss: Tensor;
  readonly meanEntropy: Tensor;
  readonly meanPenalty: Tensor;
  /** [B, L] 0 where the mask is 0. */
  readonly tokenPenalty: Tensor;
}

/**
 * @param entropies [B, L] with gradient.
 * @param mask      [B*L] 1 on tokens that count.
 * @param usual     [B] running mean entropy of the same environment step index.
 */
export function entropyBandLoss(
  entropies: Tensor,
  mask: ArrayLike<number>,
  usual: ArrayLike<number>,
  {
    low = 0.8,
    high = 1.2,
    form = 'constant',
    outOfRangePenalty = 0.1,
    entropyCoefficient = 0.001,
    smoothingCoefficient = 1,
  }: EntropyBandOptions = {},
): EntropyBandLoss {
  const [rows = 0] = entropies.shape;
  const active = entropies.newTensor(mask, entropies.shape);
  const tokens = Math.max(
    1,
    Float64Array.from(mask).reduce((sum, m) => sum + m, 0),
  );
  const center = entropies.newTensor(usual, [rows, 1]);
  // both distances are 0 inside the band
  const distance = center
    .mul(low)
    .sub(entropies)
    .clamp(0)
    .add(entropies.sub(center.mul(high)).clamp(0));
  const penalty =
    form === 'squared'
      ? distance.mul(distance)
      : distance
          .detach()
          .gt(0)
          .to(entropies.dtype as 'float32')
          .mul(outOfRangePenalty);
  const tokenPenalty = penalty.mul(active);
  const meanEntropy = entropies.mul(active).sum().div(tokens);
  const meanPenalty = tokenPenalty.sum().div(tokens);
  const loss = meanEntropy.sub(meanPenalty.mul(smoothingCoefficient)).mul(-entropyCoefficient);
  return { loss, meanEntropy, meanPenalty, tokenPenalty };
}
