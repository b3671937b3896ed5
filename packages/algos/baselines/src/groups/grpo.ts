/**
 * GRPO: advantages relative to a group of episodes from the same state, PPO on their tokens, no critic.
 *
 *     A_k = (R_k − mean of the group) / (standard deviation of the group + 1e-6)
 *     L   = mean over steps of mean over tokens of max(−ρ_l·A_k, −clip(ρ_l, 1 − ε, 1 + ε)·A_k) + β · KL(π_θ ‖ π_reference)
 *
 * The paper estimates the KL by k3, whose gradient has no bound and is in expectation that of KL(π_reference ‖ π_θ); the default
 * is k2, whose gradient is that of the KL above.
 * `advantage.scale: 'none'` leaves the division out; with sums of tokens over a constant length that is Dr. GRPO (`dr-grpo.ts`).
 * Source: "DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models", arXiv 2402.03300,
 * equation 3; `docs/specs/algorithms.md` 9.3. Advantages are pinned by `test/golden/algos/group_advantages.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

const options = z.strictObject({
  ...groupAlgorithmOptions,
  advantage: optionGroup({
    scale: z
      .enum(['std', 'none'])
      .default('std')
      .describe('divide by the standard deviation of the group, or not (Dr. GRPO)'),
  }),
});

export const grpo = defineAlgorithm({
  name: 'grpo',
  title: 'GRPO',
  source: 'arXiv 2402.03300',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'seq_mean_token_mean' },
    regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.01 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config } = run;
    const { buffer, targets } = await playGroups(run, config.advantage.scale === 'std' ? 'mean-std' : 'mean');
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
