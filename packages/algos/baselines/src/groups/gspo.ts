/**
 * GSPO: one ratio per response, the geometric mean of those of its tokens, clipped as one.
 *
 *     A_k = (R_k − mean of the group) / (standard deviation of the group + 1e-6)
 *     s_t = exp(mean over tokens of log (π_θ(y_l) / π_old(y_l)))
 *     L   = mean over steps of max(−s_t·A_k, −clip(s_t, 1 − ε_low, 1 + ε_high)·A_k)
 *
 * A response here is that of one step of an episode. Source: "Group Sequence Policy Optimization", arXiv 2507.18071, equations 5
 * and 7; its clip, 3e-4 and 4e-4, is for responses of thousands of tokens: the shorter they are, the wider a mean of log-ratios spreads.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { clipOptions, groupAlgorithmOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize, stepLogProb } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

export const gspo = defineAlgorithm({
  name: 'gspo',
  title: 'GSPO',
  source: 'arXiv 2507.18071',
  options: z.strictObject({ ...groupAlgorithmOptions, loss: clipOptions }),
  recommended: {
    loss: { clipLow: 3e-4, clipHigh: 4e-4 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config } = run;
    const { buffer, targets } = await playGroups(run, 'mean-std');
    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, batch) => {
        const perToken = batch.meanWeights(); // 1 / length on the tokens of a response
        const A = batch.stepAdvantages;
        const ratio = ratioOf(stepLogProb(logProbs, perToken), batch.oldStepLogProbs(perToken));
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
    });
    return buffer;
  },
});
