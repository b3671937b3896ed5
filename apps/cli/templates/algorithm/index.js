/** My name: REINFORCE, with the mean return of the update as baseline. Replace the targets and the loss. */
import { defineAlgorithm, optimize, rescore } from '@vlgym/rl';
import { onEveryStep, targetsFrom, trajectoryReturns } from '@vlgym/rl/advantages';
import { commonOptions, tokenLossOptions } from '@vlgym/rl/config';
import { z } from 'zod';

const options = z.strictObject({
  ...commonOptions,
  loss: tokenLossOptions,
  baseline: z.enum(['mean', 'none']).default('mean').describe('what is subtracted from the return of an episode'),
});

export default defineAlgorithm({
  name: 'my-name',
  title: 'My name',
  options,
  recommended: { optimizer: { epochs: 1, batch: 64, learningRate: { initial: 1e-5, final: 1e-6 } } },

  async update(run) {
    const { config, collector, metrics } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: 1 });
    await metrics.timed('score', () => rescore(run, buffer));

    const returns = trajectoryReturns(buffer, config.reward.scale);
    const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
    const centered = returns.map((each) => (config.baseline === 'mean' ? each - mean : each));
    const targets = targetsFrom(buffer, onEveryStep(buffer, centered), config, metrics);
    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { advantages }) => ({ loss: logProbs.mul(advantages).neg() }),
      averaging: config.loss,
    });
    return buffer;
  },
});
