/**
 * From the loss of every token or step to the loss of a micro-batch: masked, weighted, summed.
 *
 * Every weight is a constant that counts over the whole optimizer step, so the sum over its micro-batches is the loss of the
 * whole (`docs/specs/algorithms.md` 15.5).
 */
import { type AggregationOptions, aggregationWeights } from '../losses/aggregation.js';
import type { Tensor } from '../tensor.js';
import type { MicroBatch } from './minibatches.js';

/** How a mean over tokens is taken; a loss per step is always averaged over steps. */
export type Averaging = Pick<AggregationOptions, 'aggregation' | 'constantLength'>;

const PER_RESPONSE: Averaging = { aggregation: 'seq_mean_token_mean' };

export interface ReduceOptions {
  readonly averaging?: Averaging | undefined;
  /** Multiply by the importance weights of the batch, where it has any. */
  readonly corrected?: boolean | undefined;
}

/** The mean over the trained tokens or steps. @param loss [B, L] or [B] */
export function reduceLoss(loss: Tensor, batch: MicroBatch, { averaging, corrected = false }: ReduceOptions): Tensor {
  const weights = loss.shape.length === 1 ? stepWeights(batch, corrected) : tokenWeights(batch, averaging, corrected);
  return loss.mul(loss.newTensor(weights, loss.shape)).sum();
}

/** The mean over all steps, or all tokens of all responses: a critic learns from those too that the policy skips. */
export function reduceCritic(loss: Tensor, { steps, length, totals }: MicroBatch): Tensor {
  if (loss.shape.length === 1) return loss.sum().mul(1 / totals.steps);
  const weights = Float64Array.from({ length: steps.length * length }, (_, i) =>
    i % length < steps[Math.floor(i / length)]!.responseIds.length ? 1 / totals.responseTokens : 0,
  );
  return loss.mul(loss.newTensor(weights, loss.shape)).sum();
}

/** [B] */
function stepWeights({ stepMask, totals, stepImportance }: MicroBatch, corrected: boolean): Float64Array {
  return Float64Array.from(stepMask, (bit, i) =>
    bit ? (1 / totals.sequences) * (corrected ? (stepImportance?.[i] ?? 1) : 1) : 0,
  );
}

/** [B*L] */
function tokenWeights(
  { mask, rows, totals, importance }: MicroBatch,
  averaging: Averaging = PER_RESPONSE,
  corrected: boolean,
): Float64Array {
  const weights = aggregationWeights(mask, rows, { ...averaging, totals });
  if (corrected && importance) for (let i = 0; i < weights.length; i++) weights[i]! *= importance[i]!;
  return weights;
}
