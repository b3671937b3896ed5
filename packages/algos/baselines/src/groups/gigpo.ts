/**
 * GiGPO: a group-relative advantage of the whole episode plus one among steps that began in the same state.
 *
 *     A_t = A_episode + ω·A_step; A_step compares discounted returns-to-go of one group at one state
 *     L   = mean over steps of mean over tokens of max(−ρ_l·A_t, −clip(ρ_l, 1 − ε, 1 + ε)·A_t) + β · KL(π_θ ‖ π_reference)
 *
 * Source: "Group-in-Group Policy Optimization for LLM Agent Training", arXiv 2505.10978; `docs/specs/algorithms.md` 9.7.
 * Advantages are pinned by `test/golden/algos/gigpo.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { gigpo as gigpoAdvantages, targetsFrom } from '@vlgym/rl/advantages';
import { groupAlgorithmOptions, optionGroup, taskOption } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';

const options = z.strictObject({
  ...groupAlgorithmOptions,
  advantage: optionGroup({
    gamma: taskOption(
      z.number().min(0).max(1).default(0.95).describe('discount of the returns-to-go that are compared at a state'),
    ),
    stepWeight: z
      .number()
      .nonnegative()
      .default(1)
      .describe('weight of the advantage of steps relative to that of episodes, ω'),
    scale: z
      .enum(['std', 'none'])
      .default('none')
      .describe('divide by the standard deviation of the group, or only center'),
  }),
});

export const gigpo = defineAlgorithm({
  name: 'gigpo',
  title: 'GiGPO',
  source: 'arXiv 2505.10978',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2 },
    regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.01 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, collector, metrics } = run;
    const { gamma, stepWeight, scale } = config.advantage;
    const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size, stateKeys: true });
    await metrics.timed('score', () => rescore(run, buffer));

    const { steps } = buffer;
    const { advantages, stepAdvantages } = gigpoAdvantages(
      {
        group: steps.map((step) => step.group!),
        trajectory: steps.map((step) => step.episodeId),
        step: steps.map((step) => step.stepIndex),
        anchor: steps.map((step) => step.stateKey!),
        reward: steps.map(({ reward }) => (reward.environment + reward.format) / config.reward.scale),
      },
      { gamma, omega: stepWeight, mode: scale === 'std' ? 'mean-std' : 'mean' },
    );
    metrics.set('group/compared-steps', stepAdvantages.filter((value) => value !== 0).length / steps.length);
    const targets = targetsFrom(buffer, advantages, config, metrics);

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
