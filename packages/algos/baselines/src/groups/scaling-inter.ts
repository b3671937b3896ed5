/**
 * ScalingInter-RL: GRPO on episodes that may be longer and longer.
 *
 *     update k plays at most h_i turns, i = min(⌊k / every⌋, last)
 *
 * Short episodes teach to act at all; long ones from the start collapse. An episode that is cut has the return that it has
 * so far. Published with turns of 10, 20, 30 (or 8, 12, 15), raised every 80 to 100 updates. Source: "AgentGym-RL: Training
 * LLM Agents for Long-Horizon Decision Making through Multi-Turn Reinforcement Learning", arXiv 2509.08755;
 * `docs/specs/algorithms.md` 9.9.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { groupAlgorithmOptions, optionGroup, taskOption } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

const count = z.number().int().positive();

const horizonOptions = optionGroup({
  turns: taskOption(
    z
      .array(count)
      .min(1)
      .default(() => [10, 20, 30])
      .describe('longest episodes, in turns, one stage after the other'),
  ),
  every: taskOption(count.default(100).describe('updates of a stage; the last one has no end')),
});

export const scalingInter = defineAlgorithm({
  name: 'scaling-inter',
  title: 'ScalingInter-RL',
  source: 'arXiv 2509.08755',
  options: z.strictObject({ ...groupAlgorithmOptions, horizon: horizonOptions }),
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'seq_mean_token_mean' },
    regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.001 },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, metrics, updateIndex } = run;
    const maxSteps = horizonAt(updateIndex, config.horizon);
    metrics.set('horizon/turns', maxSteps);
    const { buffer, targets } = await playGroups(run, 'mean-std', { maxSteps });
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

/** Turns that an episode of this update may have. @param update  From 0. */
export const horizonAt = (update: number, { turns, every }: z.output<typeof horizonOptions>): number =>
  turns[Math.min(Math.floor(update / every), turns.length - 1)]!;
