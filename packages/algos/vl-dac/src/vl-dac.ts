/**
 * VL-DAC: token ratios with a step-level critic.
 *
 *     ρ_l = π_θ(y_l | o_t, y_<l) / π_old(y_l | o_t, y_<l) for every token l of the response to o_t
 *     L   = mean over steps of mean over tokens of max(−ρ_l·A_t, −clip(ρ_l, 1 − ε, 1 + ε)·A_t)
 *           + c · ½·mean (V(o_t) − R_t)² + β · KL(π_θ ‖ π_reference)
 *
 * The critic reads the prompt, never moves the backbone, and is trained alone first.
 * Source: "Enhancing Vision-Language Model Training with Reinforcement Learning in Synthetic Worlds for Real-World
 * Success"; `docs/specs/algorithms.md` 8. Its losses are pinned by `test/golden/algos/vldac.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import { estimateTargets } from '@vlgym/rl/advantages';
import { actorCriticOptions, tokenLossOptions } from '@vlgym/rl/config';
import { type ClipBounds, clipRatio, max, ratioOf, regularize, valueLoss } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { type Actor, optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { PUBLISHED, RECOMMENDED } from './vl-dac-presets.js';

const options = z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions });

/** max(−ρ·A, −clip(ρ)·A) of every token, [B, L]. */
export const vlDacActor: Actor<ClipBounds> = ({ logProbs }, { oldLogProbs, advantages: A }, bounds) => {
  const ratio = ratioOf(logProbs, oldLogProbs);
  const clipped = clipRatio(ratio, bounds);
  return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
};

export const vlDac = defineAlgorithm({
  name: 'vl-dac',
  title: 'VL-DAC',
  source: 'corl-team/VL-DAC',
  options,
  recommended: RECOMMENDED,
  published: PUBLISHED,

  async update(run) {
    const { config, collector, metrics } = run;
    const { loss, regularizer, value } = config;
    const buffer = await collector.collectSteps(run);
    await metrics.timed('score', () => rescore(run, buffer));
    const targets = estimateTargets(buffer, config, metrics);
    await optimize(run, buffer, targets, {
      actor: (outputs, batch) => vlDacActor(outputs, batch, loss),
      critic: ({ values }, batch) => valueLoss(values, batch, value.clip),
      regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
      averaging: loss,
    });
    return buffer;
  },
});
