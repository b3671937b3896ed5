/**
 * The policy loss of a micro-batch as the configuration chooses it: token ratios or λ-weighted step ratios, with what
 * there is to watch.
 */
import type { PolicyOutputs } from '../policy.js';
import type { Tensor } from '../tensor.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { MicroBatch } from '../training/minibatches.js';
import { type RatioStatistics, ratioStatistics } from './ratio-statistics.js';
import { ppoStepLoss, spanWeights, stepLogProb, stepLogProbs } from './step-ppo.js';
import { ppoTokenLoss } from './token-ppo.js';

export interface PolicyLoss {
  readonly loss: Tensor;
  /** Of the ratios that the loss uses: per token, or per step. */
  readonly ratios: RatioStatistics;
  /** Of token ratios in both cases: what the ratio-is-one test looks at. */
  readonly tokenRatios: RatioStatistics;
}

export function policyLoss(
  { logProbs }: PolicyOutputs,
  batch: MicroBatch,
  { loss: choice }: AlgorithmConfig,
): PolicyLoss {
  const { rows, length, mask, totals } = batch;
  const now = logProbs.detach().toArray() as Float32Array;
  const perToken = Float64Array.from(mask, (_, i) => batch.advantages[Math.floor(i / length)]!);
  const tokenRatios = ratioStatistics(now, batch.oldLogProbs, perToken, mask, choice);

  if (choice.level === 'token') {
    const { loss } = ppoTokenLoss(
      logProbs,
      { ...batch, advantages: perToken, ...(batch.importance && { importance: batch.importance }) },
      { ...choice, totals },
    );
    return { loss, ratios: tokenRatios, tokenRatios };
  }

  const weights = spanWeights(batch, rows, choice);
  const old = stepLogProbs(batch.oldLogProbs, weights, rows);
  const { loss } = ppoStepLoss(
    stepLogProb(logProbs, weights),
    {
      oldStepLogProbs: old,
      advantages: batch.advantages,
      mask: batch.stepMask,
      ...(batch.stepImportance && { importance: batch.stepImportance }),
    },
    { ...choice, totalSteps: totals.sequences },
  );
  const ratios = ratioStatistics(stepLogProbs(now, weights, rows), old, batch.advantages, batch.stepMask, choice);
  return { loss, ratios, tokenRatios };
}
