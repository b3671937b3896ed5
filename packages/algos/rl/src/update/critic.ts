/**
 * Fits a critic that does not train the backbone, on the hidden states that scoring has computed: no backbone runs, so
 * many passes over a buffer cost less than one of the policy.
 */
import { GymError } from '@vlgym/core';
import { isPerToken, type Targets } from '../advantages/targets.js';
import type { ActorCriticConfig, AnyConfig } from '../config/types.js';
import type { ValueTargets } from '../losses/value-loss.js';
import type { PolicyOutputs } from '../policy.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { Tensor } from '../tensor.js';
import type { Run } from '../training/algorithm.js';

/** One number per step [B] or token [B, L], before it is averaged. */
export type CriticLoss = (outputs: Pick<PolicyOutputs, 'values' | 'tokenValues'>, batch: ValueTargets) => Tensor;

/** A critic of tokens was to be fitted on the hidden states of steps. */
class TokenCriticError extends GymError {
  constructor(epochs: number) {
    super('A critic of tokens cannot be fitted separately from the policy.', {
      code: 'TOKEN_CRITIC_APART',
      value: epochs,
      expected: 'value.epochs null',
      hint: 'set value: { epochs: null } to train it in the epochs of the policy',
    });
  }
}

/** The critic is trained on stored hidden states, separately from the policy. */
export const hasSeparateCritic = ({ value }: Pick<AnyConfig, 'value'>): boolean =>
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
  if (isPerToken(returns)) throw new TokenCriticError(value.epochs!);
  const states = steps.map((step) => step.state!);
  for (let epoch = 0; epoch < value.epochs!; epoch++) {
    signal?.throwIfAborted();
    const order = rng.permutation(steps.length);
    for (let start = 0; start < order.length; start += optimizer.batch) {
      // a target that is not finite would poison every weight of the head
      const rows = order.slice(start, start + optimizer.batch).filter((row) => Number.isFinite(returns[row]));
      if (rows.length === 0) continue;
      const inUnits = (pick: (row: number) => number) => Float64Array.from(rows, (row) => pick(row) / reward.scale);
      const total = await policy.accumulateValues(
        rows.map((row) => states[row]!),
        (values) => {
          const batch: ValueTargets = {
            returns: values.newTensor(inUnits((row) => returns[row]!)),
            oldValues: values.newTensor(inUnits((row) => steps[row]!.value)),
          };
          return loss({ values, tokenValues: values }, batch)
            .sum()
            .mul(1 / rows.length)
            .mul(value.coefficient);
        },
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
