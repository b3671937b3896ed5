/**
 * RLOO: REINFORCE with the other episodes of the group as baseline; no ratio, no clip, no critic.
 *
 *     A_k = R_k − mean of R_j over the other episodes j of the group
 *     L   = −mean over steps of A_k · mean over tokens of log π_θ(y_l)
 *
 * Source: "Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in LLMs",
 * arXiv 2402.14740; `docs/specs/algorithms.md` 9.2. Advantages are pinned by `test/golden/algos/group_advantages.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { likelihoodLossOptions } from '../likelihood-options.js';
import { playGroups } from './play-groups.js';

export const rloo = defineAlgorithm({
  name: 'rloo',
  title: 'RLOO',
  source: 'arXiv 2402.14740',
  options: z.strictObject({ ...groupAlgorithmOptions, loss: likelihoodLossOptions }),
  // without a ratio, a second pass over the buffer would be off-policy
  recommended: { optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } } },

  async update(run) {
    const { config } = run;
    const { buffer, targets } = await playGroups(run, 'leave-one-out');
    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { advantages: A }) => ({ loss: logProbs.mul(A).neg() }),
      regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
      averaging: config.loss,
    });
    return buffer;
  },
});
