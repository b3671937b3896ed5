/**
 * Dr. GRPO: GRPO without its two biases; advantages are not divided by the spread of the group, sums of tokens not by the
 * length of the response.
 *
 *     A_k = R_k − mean of the group
 *     L   = sum over tokens of max(−ρ_l·A_k, −clip(ρ_l, 1 − ε, 1 + ε)·A_k) / (steps · constant length)
 *
 * Source: "Understanding R1-Zero-Like Training: A Critical Perspective", arXiv 2503.20783; `docs/specs/algorithms.md` 9.3.
 * Advantages are pinned by `test/golden/algos/group_advantages.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

export const drGrpo = defineAlgorithm({
  name: 'dr-grpo',
  title: 'Dr. GRPO',
  source: 'arXiv 2503.20783',
  options: z.strictObject(groupAlgorithmOptions),
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'seq_sum_over_constant' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config } = run;
    const { buffer, targets } = await playGroups(run, 'mean');
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
