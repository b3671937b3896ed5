/**
 * LOOP: leave-one-out advantages of whole episodes, PPO on their tokens, no critic.
 *
 *     A_k = R_k − mean of R_j over the other episodes j of the group
 *     L   = mean over steps of mean over tokens of max(−ρ_l·A_k, −clip(ρ_l, 1 − ε, 1 + ε)·A_k)
 *
 * Source: "Reinforcement Learning for Long-Horizon Interactive LLM Agents", arXiv 2502.01600; `docs/specs/algorithms.md`
 * 9.1. Advantages are pinned by `test/golden/algos/group_advantages.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import {
  groupAdvantage,
  onEveryStep,
  targetsFrom,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from '@vlgym/rl/advantages';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

export const loop = defineAlgorithm({
  name: 'loop',
  title: 'LOOP',
  options: z.strictObject(groupAlgorithmOptions),
  recommended: {
    loss: { clipLow: 0.1, clipHigh: 0.1 },
    // as the published code: what is hardly better or worse than the group only adds noise
    filter: { minAbsAdvantage: 0.01 },
    optimizer: { epochs: 2, batch: 128, maxGradNorm: 0.1, learningRate: { initial: 5e-5, final: 5e-5 } },
  },

  async update(run) {
    const { config, collector, metrics } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
    await metrics.timed('score', () => rescore(run, buffer));

    const returns = trajectoryReturns(buffer, config.reward.scale);
    const group = groupAdvantage(returns, trajectoryGroups(buffer), { kind: 'leave-one-out' });
    metrics.set('group/uniform-share', uniformShare(group));
    const targets = targetsFrom(buffer, onEveryStep(buffer, group.advantages), config, metrics);

    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
      averaging: config.loss,
    });
    return buffer;
  },
});
