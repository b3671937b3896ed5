/**
 * RAFT: the best episodes of every group are imitated, and nothing else is learned.
 *
 *     L = −mean over steps of the kept episodes of mean over tokens of log π_θ(y_l)
 *
 * The `keep` episodes of highest return are kept in a group whose returns differ; ties go to the earlier episode. A
 * group with equal returns is not imitated. Source: "RAFT: Reward rAnked FineTuning for Generative
 * Foundation Model Alignment", arXiv 2304.06767, algorithm 1, which keeps the best of K.
 */
import { defineAlgorithm } from '@vlgym/rl';
import {
  groupAdvantage,
  membersOf,
  onEveryStep,
  targetsFrom,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from '@vlgym/rl/advantages';
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { regularize } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { likelihoodLossOptions } from '../likelihood-options.js';

const options = z.strictObject({
  ...groupAlgorithmOptions,
  loss: likelihoodLossOptions,
  ranking: optionGroup({
    keep: z.number().int().positive().default(1).describe('episodes of a group that are imitated'),
  }),
});

export const raft = defineAlgorithm({
  name: 'raft',
  title: 'RAFT',
  source: 'arXiv 2304.06767',
  options,
  recommended: { optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } } },

  async update(run) {
    const { config, collector, metrics } = run;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
    await metrics.timed('score', () => rescore(run, buffer));

    const returns = trajectoryReturns(buffer, config.reward.scale);
    const groups = trajectoryGroups(buffer);
    const group = groupAdvantage(returns, groups, { kind: 'mean' });
    metrics.set('group/uniform-share', uniformShare(group));
    const isKept = bestOf(returns, groups, config.ranking.keep).map(
      (bit, episode) => bit * Number(group.keep[episode]),
    );
    const targets = targetsFrom(buffer, onEveryStep(buffer, isKept), config, metrics);
    // an answer without an action did not make its episode the best
    const isImitated = onEveryStep(buffer, isKept).map((bit, row) => (buffer.steps[row]!.fallback ? 0 : bit));
    const policyMask = targets.policyMask.map((bit, row) => bit * isImitated[row]!);

    await optimize(
      run,
      buffer,
      { ...targets, policyMask },
      {
        actor: ({ logProbs }) => ({ loss: logProbs.neg() }),
        regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
        averaging: config.loss,
      },
    );
    return buffer;
  },
});

/** [M] 1 on the `count` episodes of highest return in each group. */
function bestOf(returns: Float64Array, groups: readonly number[], count: number): Uint8Array {
  const isBest = new Uint8Array(returns.length);
  for (const members of membersOf(groups).values()) {
    const best = members.toSorted((a, b) => returns[b]! - returns[a]! || a - b).slice(0, count);
    for (const episode of best) isBest[episode] = 1;
  }
  return isBest;
}
