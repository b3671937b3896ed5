/** Options of LOOP. */
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { z } from 'zod';

export const loopOptions = z
  .strictObject({
    ...groupAlgorithmOptions,
    weighting: optionGroup({
      per: z
        .enum(['step', 'episode'])
        .default('step')
        .describe('what has equal weight: steps, or episodes, by a mean over all of their tokens (seq_mean_token_sum)'),
    }),
  })
  // the weights of episodes are those of sums over tokens: of means they would make something else
  .refine(({ weighting, loss }) => weighting.per === 'step' || loss.aggregation === 'seq_mean_token_sum', {
    path: ['loss', 'aggregation'],
    error: 'seq_mean_token_sum with weighting.per episode',
  });
