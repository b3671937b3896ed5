/**
 * REINFORCE++: PPO's loss without a critic; the KL to the reference is part of the reward of every token, and advantages are
 * normalized over the whole batch.
 *
 *     r_l = R·1[l is the last token] − β·log (π_old(y_l) / π_reference(y_l))
 *     A_l = Σ_{k ≥ l} γ^(k − l)·r_k, then (A − mean) / standard deviation over all tokens of the batch
 *     L   = mean over tokens of max(−ρ_l·A_l, −clip(ρ_l, 1 − ε, 1 + ε)·A_l)
 *
 * In an episode of several responses every step's reward stands on its last token, and the sum runs on to the end of the
 * episode. Source: "REINFORCE++: Stabilizing Critic-Free Policy Optimization with Global Normalization", arXiv 2501.03262.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { alongEpisodes, normalizeTokens, targetsFrom, tokenRewards } from '@vlgym/rl/advantages';
import { commonOptions, optionGroup, taskOption, tokenLossOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...commonOptions,
  advantage: optionGroup({
    gamma: taskOption(z.number().min(0).max(1).default(1).describe('discount per token, γ')),
    klCoefficient: z.number().nonnegative().default(0.01).describe('weight of the KL in the reward of a token, β'),
  }),
  loss: tokenLossOptions,
});

export const reinforcePlusPlus = defineAlgorithm({
  name: 'reinforce-plus-plus',
  title: 'REINFORCE++',
  source: 'arXiv 2501.03262',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'token_mean' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, collector, metrics } = run;
    const { gamma, klCoefficient } = config.advantage;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: 1 });
    const divergence = { from: 'reference', kind: 'log-ratio' } as const;
    const logRatios = await metrics.timed('score', () => rescore(run, buffer, { divergence }));

    const rewards = tokenRewards(buffer, config.reward.scale).map((tokens, step) =>
      tokens.map((reward, l) => reward - klCoefficient * logRatios![step]![l]!),
    );
    const { advantages } = alongEpisodes(buffer, rewards, (tokens) => ({
      advantages: returnsToGo(tokens.rewards, gamma),
    }));
    const targets = targetsFrom(buffer, normalizeTokens(buffer, advantages, config), config, metrics);

    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      averaging: config.loss,
    });
    return buffer;
  },
});

/** [L] discounted sum of the rewards from each token on. */
function returnsToGo(rewards: Float64Array, gamma: number): Float64Array {
  const sums = rewards.slice();
  for (let l = sums.length - 2; l >= 0; l--) sums[l]! += gamma * sums[l + 1]!;
  return sums;
}
