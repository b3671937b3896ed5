/**
 * Prefix-RFT: the expert plays the beginning of some episodes, the agent the rest; it learns from both.
 *
 *     a group begins after ⌊s·T·u⌋ of the expert's T turns, u uniform; s falls along half a cosine, so that starts move back
 *     L = L_GRPO(turns of the agent) − c·mean over tokens of the expert's turns of log π_θ
 *
 * All episodes of a group begin in the same state, where the published method gives the prefix to one of them; the expert's
 * tokens are imitated in full, where it takes the fifth with the highest entropy. Needs an environment with an expert
 * (`oracle`) that can say what it does (`dialogue.demonstrate`). Source: "Blending Supervised and Reinforcement Fine-Tuning
 * with Prefix Sampling", arXiv 2507.01679. The default values were not compared with the paper's.
 */
import { Generator } from '@vlgym/core';
import { defineAlgorithm, type Policy, type RolloutBuffer } from '@vlgym/rl';
import { groupAlgorithmOptions, optionGroup } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import type { Opening } from '@vlgym/rl/rollout';
import { cosine, type LabeledSequence, type MicroBatch, optimize, supervise } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

const share = z.number().min(0).max(1);

const options = z.strictObject({
  ...groupAlgorithmOptions,
  prefix: optionGroup({
    groups: share.default(0.5).describe('share of the groups that the expert begins'),
    initial: share.default(0.95).describe('longest share of its turns that it plays at first, s'),
    final: share.default(0.05).describe('the same at the end of the period'),
    period: z.number().int().positive().default(100).describe('updates from initial to final'),
    sftCoefficient: z.number().nonnegative().default(1).describe('weight of imitating the turns of the expert, c'),
  }),
});

export const prefixRft = defineAlgorithm({
  name: 'prefix-rft',
  title: 'Prefix-RFT',
  source: 'arXiv 2507.01679',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'token_mean' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, metrics, policy, rng, updateIndex } = run;
    const { groups, sftCoefficient } = config.prefix;
    const longest = cosine(updateIndex, config.prefix);
    const opening = (expertTurns: number, seed: number) => {
      const drawn = new Generator(seed);
      return drawn.random() < groups ? Math.floor(longest * expertTurns * drawn.random()) : 0;
    };
    const { buffer, targets } = await playGroups(run, 'mean-std', { opening });
    const labels = expertLabels(policy, buffer);
    metrics.setAll({ 'prefix/longest-share': longest, 'prefix/expert-turns': labels.length });

    /** As many turns of the expert as the optimizer step has of the agent. */
    const imitate = async (microBatches: readonly MicroBatch[]) => {
      if (labels.length === 0) return;
      const count = microBatches.reduce((sum, { rows }) => sum + rows, 0);
      const drawn = Array.from({ length: count }, () => labels[rng.integers(0, labels.length)]!);
      const { microBatch, microBatchTokens } = config.optimizer;
      await supervise(run, drawn, { coefficient: sftCoefficient, microBatch, microBatchTokens });
    };
    await optimize(
      run,
      buffer,
      targets,
      {
        actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
          const ratio = ratioOf(logProbs, oldLogProbs);
          const clipped = clipRatio(ratio, config.loss);
          return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
        },
        regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
        averaging: config.loss,
      },
      { beforeStep: imitate },
    );
    return buffer;
  },
});

/** Turns of the expert before those of the agent, every token a label. */
function expertLabels(policy: Policy, { steps }: RolloutBuffer): LabeledSequence[] {
  return steps.flatMap(({ note }) =>
    ((note as Opening | undefined)?.turns ?? []).map(({ input, text }) => {
      const { ids } = policy.encodeResponse(text);
      return { input, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) };
    }),
  );
}
