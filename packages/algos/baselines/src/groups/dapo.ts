/**
 * DAPO: GRPO with a higher upper clip, a token-level mean, groups with equal returns sampled again, long answers penalized.
 *
 *     A_k = (R_k − mean of the group) / (standard deviation of the group + 1e-6), groups with equal returns left out
 *     L   = mean over tokens of max(−ρ_l·A_k, −clip(ρ_l, 1 − ε_low, 1 + ε_high)·A_k)
 *
 * Source: "DAPO: An Open-Source LLM Reinforcement Learning System at Scale", arXiv 2503.14476, equations 8 to 13;
 * `docs/specs/algorithms.md` 9.4. Advantages are pinned by `test/golden/algos/group_advantages.json`.
 */
import { defineAlgorithm, type RolloutBuffer, type Run } from '@vlgym/rl';
import {
  groupAdvantage,
  onEveryStep,
  targetsFrom,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from '@vlgym/rl/advantages';
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { joinBuffers, rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const shape = {
  ...groupAlgorithmOptions,
  sampling: optionGroup({
    /** Rounds of episodes at most, until there are `stepsPerUpdate` steps in groups with a spread. */
    maxRounds: z
      .number()
      .int()
      .positive()
      .default(3)
      .describe('rounds of episodes at most, until there are enough steps in groups with a spread'),
  }),
  overlong: optionGroup({
    /** Tokens before the limit of a response in which the penalty grows from 0 to 1; null has no penalty. */
    cache: z
      .number()
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('tokens before the limit in which the penalty grows from 0 to 1; null has none'),
  }),
};

const options = z
  .strictObject(shape)
  // a longer one would penalize an answer of no tokens
  .refine(({ overlong, rollout }) => overlong.cache === null || overlong.cache <= rollout.maxNewTokens, {
    path: ['overlong', 'cache'],
    error: 'at most rollout.maxNewTokens',
  });

type DapoRun = Run<z.output<typeof options>>;

export const dapo = defineAlgorithm({
  name: 'dapo',
  title: 'DAPO',
  source: 'arXiv 2503.14476',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.28, aggregation: 'token_mean' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, metrics } = run;
    const buffer = await dynamicSampling(run);
    await metrics.timed('score', () => rescore(run, buffer));

    const group = advantagesOf(run, buffer);
    metrics.set('group/uniform-share', uniformShare(group));
    const targets = targetsFrom(buffer, onEveryStep(buffer, group.advantages), config, metrics);
    // a group without a spread counts neither in the loss nor in its mean over tokens
    const isKept = onEveryStep(buffer, group.keep.map(Number));
    const policyMask = targets.policyMask.map((bit, row) => bit * isKept[row]!);

    await optimize(
      run,
      buffer,
      { ...targets, policyMask },
      {
        actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
          const ratio = ratioOf(logProbs, oldLogProbs);
          const clipped = clipRatio(ratio, config.loss);
          return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
        },
        regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
        averaging: config.loss,
      },
    );
    return buffer;
  },
});

/** Collects on while groups with a spread have too few steps. */
async function dynamicSampling(run: DapoRun): Promise<RolloutBuffer> {
  const { config, collector, stepsPerUpdate } = run;
  const rounds: RolloutBuffer[] = [];
  for (let informative = 0; informative < stepsPerUpdate && rounds.length < config.sampling.maxRounds; ) {
    const round = await collector.collectEpisodes({ ...run, groupSize: config.group.size });
    const { keep } = advantagesOf(run, round);
    informative += round.trajectories.reduce((sum, rows, index) => sum + (keep[index] ? rows.length : 0), 0);
    rounds.push(round);
  }
  return joinBuffers(rounds);
}

function advantagesOf({ config }: DapoRun, buffer: RolloutBuffer) {
  const returns = trajectoryReturns(buffer, config.reward.scale);
  buffer.trajectories.forEach((rows, index) => {
    for (const row of rows) returns[index]! += overlongPenalty(buffer.steps[row]!.responseIds.length, config);
  });
  return groupAdvantage(returns, trajectoryGroups(buffer), { kind: 'mean-std' });
}

/** Equation 13: 0 up to limit − cache tokens, then falling to −1 at the limit. */
function overlongPenalty(length: number, { overlong, rollout }: DapoRun['config']): number {
  if (overlong.cache === null) return 0;
  return Math.min(0, (rollout.maxNewTokens - overlong.cache - length) / overlong.cache);
}
