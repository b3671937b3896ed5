/** An idea of somebody's own: GRPO's advantages, a clip that is wider above, and an entropy bonus on thoughts alone. */
import { defineAlgorithm } from '@vlgym/rl';
import { groupAdvantage, onEveryStep, targetsFrom, trajectoryGroups, trajectoryReturns } from '@vlgym/rl/advantages';
import { commonOptions, groupOptions, tokenLossOptions } from '@vlgym/rl/config';
import { max, ratioOf } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...commonOptions,
  group: groupOptions,
  loss: tokenLossOptions,
  thoughtEntropy: z.number().nonnegative().default(0.01).describe('weight of the entropy of thoughts'),
});

export default defineAlgorithm({
  name: 'thought-entropy',
  title: 'Thought entropy',
  options,
  recommended: { loss: { clipLow: 0.1, clipHigh: 0.3 } },

  async update(run) {
    const { config, collector, metrics } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
    await rescore(run, buffer);
    const returns = trajectoryReturns(buffer, config.reward.scale);
    const group = groupAdvantage(returns, trajectoryGroups(buffer), { kind: 'mean-std' });
    const targets = targetsFrom(buffer, onEveryStep(buffer, group.advantages), config, metrics);

    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = ratio.clamp(1 - config.loss.clipLow, 1 + config.loss.clipHigh);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: ({ entropies }, { thoughtMask }) => ({
        'thought-entropy': { perToken: entropies.mul(thoughtMask), coefficient: -config.thoughtEntropy },
      }),
    });
    return buffer;
  },
});
