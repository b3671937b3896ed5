/** An idea of somebody's own: GRPO's advantages, a clip that is wider above, and an entropy bonus on thoughts alone. */
import * as rl from '@vlgym/rl';
import { z } from 'zod';

const options = z.strictObject({
  ...rl.commonOptions,
  group: rl.groupOptions,
  loss: rl.tokenLossOptions,
  thoughtEntropy: z.number().nonnegative().default(0.01).describe('weight of the entropy of thoughts'),
});

export default rl.defineAlgorithm({
  name: 'thought-entropy',
  title: 'Thought entropy',
  options,
  recommended: { loss: { clipLow: 0.1, clipHigh: 0.3 } },

  async update(run) {
    const { config, collector, metrics } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
    await rl.rescore(run, buffer);
    const returns = rl.trajectoryReturns(buffer, config.reward.scale);
    const group = rl.groupAdvantage(returns, rl.trajectoryGroups(buffer), { kind: 'mean-std' });
    const targets = rl.targetsFrom(buffer, rl.onEveryStep(buffer, group.advantages), config, metrics);

    await rl.optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = rl.ratioOf(logProbs, oldLogProbs);
        const clipped = ratio.clamp(1 - config.loss.clipLow, 1 + config.loss.clipHigh);
        return { loss: rl.max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      regularizer: ({ entropies }, { thoughtMask }) => ({
        'thought-entropy': { perToken: entropies.mul(thoughtMask), coefficient: -config.thoughtEntropy },
      }),
    });
    return buffer;
  },
});
