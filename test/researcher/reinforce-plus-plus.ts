/** REINFORCE++ (arXiv 2501.03262) as somebody would write it down who has only read its paper. */
import { defineAlgorithm } from '@vlgym/rl';
import { alongEpisodes, normalizeTokens, targetsFrom, tokenRewards } from '@vlgym/rl/advantages';
import { commonOptions, tokenLossOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...commonOptions,
  loss: tokenLossOptions,
  beta: z.number().nonnegative().default(0.01).describe('weight of the KL in the reward of a token, β'),
});

export default defineAlgorithm({
  name: 'my-reinforce-plus-plus',
  title: 'My REINFORCE++',
  options,
  recommended: { loss: { clipLow: 0.2, clipHigh: 0.2 }, optimizer: { epochs: 1 } },

  async update(run) {
    const { config, collector, metrics } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: 1 });
    const kl = await rescore(run, buffer, { divergence: { from: 'reference', kind: 'log-ratio' } });

    // r_l = R·1[last token] − β·KL_l
    const rewards = tokenRewards(buffer, config.reward.scale).map((tokens, step) =>
      tokens.map((reward, l) => reward - config.beta * kl![step]![l]!),
    );
    // A_l = Σ_{k ≥ l} r_k, normalized over the batch
    const { advantages } = alongEpisodes(buffer, rewards, ({ rewards: r }) => {
      const toGo = r.slice();
      for (let l = r.length - 2; l >= 0; l--) toGo[l]! += toGo[l + 1]!;
      return { advantages: toGo };
    });
    const normalized = normalizeTokens(buffer, advantages, config);

    await optimize(run, buffer, targetsFrom(buffer, normalized, config, metrics), {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, config.loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
    });
    return buffer;
  },
});
