/**
 * SimpleTIR: GRPO without the episodes that have a void turn, one from which no action could be read.
 *
 *     an episode with a void turn ends there, counts for its group, and has no loss on any of its tokens
 *     L = mean over the other tokens of max(−ρ_l·A_k, −clip(ρ_l, 1 − ε_low, 1 + ε_high)·A_k)
 *
 * Void turns are where a model drifts off its own distribution: few unlikely tokens, whose gradients outweigh a batch.
 * Published for models that write code or a final answer; here a turn is void if its response names no action, or is cut by
 * the limit of tokens. Evaluation plays on. Source: "SimpleTIR: End-to-End Reinforcement Learning for Multi-Turn
 * Tool-Integrated Reasoning", arXiv 2509.02479; `docs/specs/algorithms.md` 9.9.
 */
import { defineAlgorithm, type RolloutBuffer } from '@vlgym/rl';
import { onEveryStep } from '@vlgym/rl/advantages';
import { groupAlgorithmOptions } from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playGroups } from './play-groups.js';

export const simpleTir = defineAlgorithm({
  name: 'simple-tir',
  title: 'SimpleTIR',
  source: 'arXiv 2509.02479',
  options: z.strictObject(groupAlgorithmOptions),
  recommended: {
    rollout: { fallback: 'terminate' },
    loss: { clipLow: 0.2, clipHigh: 0.28, aggregation: 'token_mean' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { config, metrics } = run;
    const { buffer, targets } = await playGroups(run, 'mean-std');
    const isVoid = voidEpisodes(buffer);
    metrics.set('void/episode-share', isVoid.reduce((sum, bit) => sum + bit, 0) / Math.max(1, isVoid.length));
    const isLeftOut = onEveryStep(buffer, isVoid);
    const policyMask = targets.policyMask.map((bit, row) => (isLeftOut[row] ? 0 : bit));

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

/** [M] 1 on episodes with a void turn. */
export const voidEpisodes = ({ steps, trajectories }: Pick<RolloutBuffer, 'steps' | 'trajectories'>): Uint8Array =>
  Uint8Array.from(trajectories, (rows) =>
    rows.some((row) => steps[row]!.fallback || steps[row]!.lengthTruncated) ? 1 : 0,
  );
