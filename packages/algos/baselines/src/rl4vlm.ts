/**
 * RL4VLM: PPO with one ratio per environment step, thoughts scaled by λ.
 *
 *     log ρ_t = λ·Σ_thought log (π_θ / π_old) + Σ_action log (π_θ / π_old)
 *     L       = mean over steps of max(−ρ_t·A_t, −clip(ρ_t, 1 − ε, 1 + ε)·A_t) + c · ½·mean (V(o_t) − R_t)²
 *
 * Source: "Fine-Tuning Large Vision-Language Models as Decision-Making Agents via Reinforcement Learning";
 * `docs/specs/algorithms.md` 3. Its losses are pinned by `test/golden/algos/rl4vlm_step.json`.
 */
import {
  type ActorCriticConfig,
  actorCriticOptions,
  clippedStepLoss,
  defineAlgorithm,
  estimateTargets,
  mergeDeep,
  type Overrides,
  optimize,
  type RolloutBuffer,
  type Run,
  regularize,
  rescore,
  type StepLossConfig,
  stepLossOptions,
  valueLoss,
} from '@vlgym/rl';
import { z } from 'zod';

const options = z.strictObject({ ...actorCriticOptions, loss: stepLossOptions });

/**
 * The published loss and critic: critic and policy share backbone, learning rate and gradient norm from the first update on,
 * the value loss reaches the backbone and is clipped around the old value. Ratios are evaluated on the prompt that was
 * answered, in evaluation mode, at the temperature of sampling. `PUBLISHED` is what the code does otherwise.
 */
const RECOMMENDED: Overrides<typeof options> = {
  advantage: { gamma: 0.9, lambda: 0.95 },
  loss: { thoughtCoefficient: 0.5, clipLow: 0.1, clipHigh: 0.1 },
  value: {
    coefficient: 0.5,
    clip: 0.1,
    stopGradient: false,
    warmupUpdates: 0,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  optimizer: { epochs: 4, batch: 128, learningRate: { initial: 1e-5, final: 1e-9, period: 25 } },
};

/** VL-DAC's stabilizers, and a critic that is fitted apart with its own rate; what GTR-Turbo with β = 0 is. */
const STABILIZED: Overrides<typeof options> = {
  value: {
    clip: null,
    stopGradient: true,
    warmupUpdates: 2,
    learningRateFactor: 10,
    epochs: 8,
    standardize: true,
    maxGradNorm: 1,
  },
};

/** Where the published code differs: temperature, spans, ratio guard, time limits as ends, no format reward. */
const PUBLISHED: Overrides<typeof options> = {
  rollout: { temperature: 0.2, fallbackLoss: 'keep' },
  reward: { formatValid: 0, formatInvalid: 0 },
  advantage: { estimator: 'storage-gae', truncationIsTerminal: true, eps: 1e-5 },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  correction: { kind: 'none' },
  optimizer: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};

async function update(run: Run<ActorCriticConfig & { readonly loss: StepLossConfig }>): Promise<RolloutBuffer> {
  const { config, collector, metrics } = run;
  const { loss, regularizer, value } = config;
  const buffer = await collector.collectSteps(run);
  await metrics.timed('score', () => rescore(run, buffer));
  const targets = estimateTargets(buffer, config, metrics);
  await optimize(run, buffer, targets, {
    actor: (outputs, batch) => clippedStepLoss(outputs, batch, loss),
    critic: ({ values }, batch) => valueLoss(values, batch, { clip: value.clip, totalSteps: batch.totals.steps }),
    regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
  });
  return buffer;
}

export const rl4vlm = defineAlgorithm({
  name: 'rl4vlm',
  title: 'RL4VLM',
  options,
  recommended: RECOMMENDED,
  published: PUBLISHED,
  update,
});

/** RL4VLM's loss with VL-DAC's critic: gradient stopped, value warm-up, its own learning rate and gradient norm. */
export const rl4vlmStabilized = defineAlgorithm({
  name: 'rl4vlm-stabilized',
  title: 'RL4VLM, stabilized',
  options,
  recommended: mergeDeep(RECOMMENDED, STABILIZED),
  published: mergeDeep(PUBLISHED, STABILIZED),
  update,
});
