/**
 * CISPO: REINFORCE weighed by a clipped ratio; the clip bounds the weight of a token and never cuts its gradient.
 *
 *     A_k = (R_k − mean of the group) / (standard deviation of the group + 1e-6)
 *     L   = −mean over tokens of sg(clip(ρ_l, 1 − ε_low, 1 + ε_high))·A_k·log π_θ(y_l)
 *
 * sg is without a gradient. The paper sets no lower bound; `clipLow: 1` is that. Source: "MiniMax-M1: Scaling Test-Time Compute
 * Efficiently with Lightning Attention", arXiv 2506.13585.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { clipRatio, ratioOf, regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

export const cispo = defineAlgorithm({
  name: 'cispo',
  title: 'CISPO',
  source: 'arXiv 2506.13585',
  options: z.strictObject(groupAlgorithmOptions),
  recommended: {
    // ε_high is ours: weights of at most 2, as of `correction.cap`
    loss: { clipLow: 1, clipHigh: 1, aggregation: 'token_mean' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config } = run;
    const { buffer, targets } = await playGroups(run, 'mean-std');
    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const weight = clipRatio(ratio, config.loss).detach();
        return { loss: weight.mul(A).mul(logProbs).neg(), ratio };
      },
      regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
      averaging: config.loss,
    });
    return buffer;
  },
});
