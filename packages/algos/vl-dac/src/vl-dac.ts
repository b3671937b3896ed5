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
import {
  actorCriticOptions,
  clippedTokenLoss,
  defineAlgorithm,
  estimateTargets,
  type Overrides,
  optimize,
  regularize,
  rescore,
  tokenLossOptions,
  valueLoss,
} from '@vlgym/rl';
import { z } from 'zod';

const options = z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions });

/**
 * The published launch scripts (closer to what produced the paper than the YAML files), with one temperature for sampling
 * and training, no value clip, and truncation bootstrapped.
 */
const RECOMMENDED: Overrides<typeof options> = {
  advantage: { gamma: 0.995, lambda: 0.99 },
  loss: { aggregation: 'seq_mean_token_mean', clipLow: 0.1, clipHigh: 0.1 },
  // the published 0.25 multiplies the square without ½
  value: { coefficient: 0.5, stopGradient: true, warmupUpdates: 2 },
  // the published k3 has a gradient of 1 − exp(−x): one sampled token that the update made e^-10 as likely outweighs a
  // buffer. That of k2 is x, and the same in expectation on the agent's own samples.
  regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.05 },
  optimizer: {
    epochs: 2,
    batch: 16,
    learningRate: { initial: 1e-5, final: 1e-7, period: 100 },
    maxGradNorm: 1,
  },
};

/** Where the published code differs (`docs/specs/algorithms.md` 8.2 and 8.4, MiniWorld column). */
const PUBLISHED: Overrides<typeof options> = {
  rollout: { temperature: 0.2, topK: 1, topP: 0.001, maxNewTokens: 1024, fallbackLoss: 'keep' },
  correction: { kind: 'none' },
  reward: { formatValid: 0, formatInvalid: 0 },
  advantage: { estimator: 'storage-gae', gamma: 0.9, lambda: 0.95 },
  // the published 0.5 multiplies max((V − R)², clipped²) without ½; one norm bounds all gradients
  value: {
    coefficient: 1,
    clip: 0.1,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  regularizer: { kl: 'k3', klCoefficient: 0.04 },
  optimizer: { learningRate: { initial: 1e-6, final: 1e-8, beyond: 'periodic' }, maxGradNorm: 0.01 },
};

export const vlDac = defineAlgorithm({
  name: 'vl-dac',
  title: 'VL-DAC',
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
      actor: (outputs, batch) => clippedTokenLoss(outputs, batch, loss),
      critic: ({ values }, batch) => valueLoss(values, batch, { clip: value.clip, totalSteps: batch.totals.steps }),
      regularizer: (outputs, batch) => regularize(outputs, batch, regularizer, loss),
    });
    return buffer;
  },
});
