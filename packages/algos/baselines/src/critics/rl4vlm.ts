/**
 * RL4VLM: PPO with one ratio per environment step, thoughts scaled by λ.
 *
 *     log ρ_t = λ·Σ_thought log (π_θ / π_old) + Σ_action log (π_θ / π_old)
 *     L       = mean over steps of max(−ρ_t·A_t, −clip(ρ_t, 1 − ε, 1 + ε)·A_t) + c · ½·mean (V(o_t) − R_t)²
 *
 * Source: "Fine-Tuning Large Vision-Language Models as Decision-Making Agents via Reinforcement Learning";
 * `docs/specs/algorithms.md` 3. Its losses are pinned by `test/golden/algos/rl4vlm_step.json`.
 */
import { defineAlgorithm, mergeDeep, type RolloutBuffer, type Run } from '@vlgym/rl';
import { estimateTargets } from '@vlgym/rl/advantages';
import { type ActorCriticConfig, actorCriticOptions, type StepLossConfig, stepLossOptions } from '@vlgym/rl/config';
import { clipRatio, exceeds, max, ratioOf, regularize, stepLogProb, valueLoss } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { type Actor, optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { PUBLISHED, RECOMMENDED, STABILIZED } from './rl4vlm-presets.js';

const options = z.strictObject({ ...actorCriticOptions, loss: stepLossOptions });

/** −min(ρ·A, clip(ρ)·A) of every step, [B]. The guard of the published code drops the unclipped branch of the whole batch. */
export const rl4vlmActor: Actor<StepLossConfig> = ({ logProbs }, batch, options) => {
  const weights = batch.spanWeights(options); // λ on the thought, 1 on the action
  const A = batch.stepAdvantages;
  const ratio = ratioOf(stepLogProb(logProbs, weights), batch.oldStepLogProbs(weights));
  const clipped = clipRatio(ratio, options);
  const free = exceeds(ratio, options.ratioGuard) ? clipped : ratio;
  return { loss: max(free.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
};

async function update(run: Run<ActorCriticConfig & { readonly loss: StepLossConfig }>): Promise<RolloutBuffer> {
  const { config, collector, metrics } = run;
  const { loss, regularizer, value } = config;
  const buffer = await collector.collectSteps(run);
  await metrics.timed('score', () => rescore(run, buffer));
  const targets = estimateTargets(buffer, config, metrics);
  await optimize(run, buffer, targets, {
    actor: (outputs, batch) => rl4vlmActor(outputs, batch, loss),
    critic: ({ values }, batch) => valueLoss(values, batch, value.clip),
    regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
  });
  return buffer;
}

export const rl4vlm = defineAlgorithm({
  name: 'rl4vlm',
  title: 'RL4VLM',
  source: 'RL4VLM/RL4VLM',
  options,
  recommended: RECOMMENDED,
  published: PUBLISHED,
  update,
});

/** RL4VLM's loss with VL-DAC's critic: gradient stopped, value warm-up, its own learning rate and gradient norm. */
export const rl4vlmStabilized = defineAlgorithm({
  name: 'rl4vlm-stabilized',
  title: 'RL4VLM, stabilized',
  source: 'RL4VLM/RL4VLM',
  options,
  recommended: mergeDeep(RECOMMENDED, STABILIZED),
  published: mergeDeep(PUBLISHED, STABILIZED),
  update,
});
