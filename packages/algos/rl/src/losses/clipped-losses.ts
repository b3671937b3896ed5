/**
 * The policy losses of a micro-batch, with what there is to watch: one ratio per token, one per step, or none.
 */
import type { StepLossConfig, TokenLossConfig } from '../config/types.js';
import type { PolicyOutputs } from '../policy.js';
import type { Tensor } from '../tensor.js';
import type { MicroBatch } from '../update/minibatches.js';
import { aggregationWeights } from './aggregation.js';
import { type RatioStatistics, ratioStatistics } from './ratio-statistics.js';
import { ppoStepLoss, spanWeights, stepLogProb, stepLogProbs } from './step-ppo.js';
import { ppoTokenLoss } from './token-ppo.js';

export interface PolicyLoss {
  readonly loss: Tensor;
  /** Statistics of the ratios that the loss uses: per token, or per step. */
  readonly ratios: RatioStatistics;
  /** Statistics of token ratios in both cases: what the ratio-is-one test looks at. */
  readonly tokenRatios: RatioStatistics;
}

/** mean over tokens of max(−ρ_l·A, −clip(ρ_l, 1 − clipLow, 1 + clipHigh)·A), ρ_l = π(y_l) / π_old(y_l). */
export function clippedTokenLoss(
  { logProbs }: Pick<PolicyOutputs, 'logProbs'>,
  batch: MicroBatch,
  options: TokenLossConfig,
): PolicyLoss {
  const { advantages, ratios } = tokenRatios(logProbs, batch, options);
  const { importance, totals } = batch;
  const { loss } = ppoTokenLoss(
    logProbs,
    { ...batch, advantages, ...(importance && { importance }) },
    { ...options, totals },
  );
  return { loss, ratios, tokenRatios: ratios };
}

/** mean over steps of max(−ρ·A, −clip(ρ, 1 − clipLow, 1 + clipHigh)·A), log ρ = λ·Σ_thought + Σ_action of log-ratios. */
export function clippedStepLoss(
  { logProbs }: Pick<PolicyOutputs, 'logProbs'>,
  batch: MicroBatch,
  options: StepLossConfig,
): PolicyLoss {
  const { rows, totals, advantages, stepMask, stepImportance } = batch;
  const { ratios: perToken, now } = tokenRatios(logProbs, batch, options);
  const weights = spanWeights(batch, rows, options);
  const oldStepLogProbs = stepLogProbs(batch.oldLogProbs, weights, rows);
  const { loss } = ppoStepLoss(
    stepLogProb(logProbs, weights),
    { oldStepLogProbs, advantages, mask: stepMask, ...(stepImportance && { importance: stepImportance }) },
    { ...options, totalSteps: totals.sequences },
  );
  const ratios = ratioStatistics(stepLogProbs(now, weights, rows), oldStepLogProbs, advantages, stepMask, options);
  return { loss, ratios, tokenRatios: perToken };
}

/** −mean over tokens of A·log π(y_l): REINFORCE. Ratios are measured, and not used. */
export function reinforceLoss(
  { logProbs }: Pick<PolicyOutputs, 'logProbs'>,
  batch: MicroBatch,
  options: TokenLossConfig,
): PolicyLoss {
  const { advantages, ratios } = tokenRatios(logProbs, batch, options);
  const weights = aggregationWeights(batch.mask, batch.rows, { ...options, totals: batch.totals });
  const loss = logProbs
    .mul(
      logProbs.newTensor(
        weights.map((weight, i) => -weight * advantages[i]!),
        logProbs.shape,
      ),
    )
    .sum();
  return { loss, ratios, tokenRatios: ratios };
}

function tokenRatios(
  logProbs: Tensor,
  batch: MicroBatch,
  clip: { readonly clipLow: number; readonly clipHigh: number },
) {
  const now = logProbs.detach().toArray() as Float32Array;
  const advantages = Float64Array.from(batch.mask, (_, i) => batch.advantages[Math.floor(i / batch.length)]!);
  return { now, advantages, ratios: ratioStatistics(now, batch.oldLogProbs, advantages, batch.mask, clip) };
}
