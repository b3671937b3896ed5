/**
 * Fits a critic that leaves the backbone alone, on the hidden states that scoring has computed: no backbone runs, so
 * many passes over a buffer cost less than one of the policy.
 */
import type { Targets } from '../advantages/targets.js';
import type { ActorCriticConfig, AnyConfig } from '../config/types.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { Tensor } from '../tensor.js';
import type { Run } from '../training/algorithm.js';

/** Values and targets of one optimizer step, in units of the critic. */
export interface CriticBatch {
  /** [B] */
  readonly returns: Float64Array;
  /** [B] */
  readonly oldValues: Float64Array;
  readonly totals: { readonly steps: number };
}

export type CriticLoss = (outputs: { readonly values: Tensor }, batch: CriticBatch) => Tensor;

/** The critic is trained on stored hidden states, apart from the policy. */
export const isCriticApart = ({ value }: Pick<AnyConfig, 'value'>): boolean =>
  value !== undefined && value.epochs !== null;

export async function fitCritic(
  run: Run<ActorCriticConfig>,
  { steps }: RolloutBuffer,
  targets: Targets,
  loss: CriticLoss,
  learningRate: number,
): Promise<void> {
  const { policy, config, rng, metrics, signal } = run;
  const { value, optimizer, reward } = config;
  const returns = targets.returns!;
  const states = steps.map((step) => step.state!);
  for (let epoch = 0; epoch < value.epochs!; epoch++) {
    signal?.throwIfAborted();
    const order = rng.permutation(steps.length);
    for (let start = 0; start < order.length; start += optimizer.batch) {
      // a target that is not finite would poison every weight of the head
      const rows = order.slice(start, start + optimizer.batch).filter((row) => Number.isFinite(returns[row]));
      if (rows.length === 0) continue;
      const batch: CriticBatch = {
        returns: Float64Array.from(rows, (row) => returns[row]! / reward.scale),
        oldValues: Float64Array.from(rows, (row) => steps[row]!.value / reward.scale),
        totals: { steps: rows.length },
      };
      const total = await policy.accumulateValues(
        rows.map((row) => states[row]!),
        (values) => loss({ values }, batch).mul(value.coefficient),
      );
      metrics.mean('loss/value', total / value.coefficient);
      const { valueGradNorm } = await policy.step({
        learningRate: learningRate * value.learningRateFactor,
        maxGradNorm: optimizer.maxGradNorm,
        ...(value.maxGradNorm !== null && { valueMaxGradNorm: value.maxGradNorm }),
        onlyValue: true,
      });
      metrics.mean('optimizer/value-grad-norm', valueGradNorm);
    }
  }
}
