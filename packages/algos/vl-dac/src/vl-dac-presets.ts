/** Settings of VL-DAC: recommended, and those of the published code (`docs/specs/algorithms.md` 8.2 and 8.4). */
import type { Overrides } from '@vlgym/rl';
import type { actorCriticOptions, tokenLossOptions } from '@vlgym/rl/config';
import type { z } from 'zod';

type Settings = Overrides<z.ZodObject<typeof actorCriticOptions & { readonly loss: typeof tokenLossOptions }>>;

/**
 * The published launch scripts (closer to what produced the paper than the YAML files), with a fifth of their learning rate, the
 * files' batch of MiniWorld, one temperature for sampling and training, no value clip, and truncation bootstrapped.
 */
export const RECOMMENDED: Settings = {
  advantage: { gamma: 0.995, lambda: 0.99 },
  loss: { aggregation: 'seq_mean_token_mean', clipLow: 0.1, clipHigh: 0.1 },
  // the published 0.25 multiplies the square without ½
  value: { coefficient: 0.5, stopGradient: true, warmupUpdates: 2 },
  // the published k3 has a gradient of 1 − exp(−x): one sampled token that the update made e^-10 as likely outweighs a
  // buffer. That of k2 is x; in expectation over the agent's own samples it is the gradient of KL(π_θ ‖ π_reference), and
  // that of k3 the gradient of KL(π_reference ‖ π_θ).
  regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.05 },
  optimizer: {
    epochs: 2,
    batch: 16,
    learningRate: { initial: 1e-5, final: 1e-7, period: 100 },
    maxGradNorm: 1,
  },
};

/** Differences in the published code (`docs/specs/algorithms.md` 8.2 and 8.4, MiniWorld column). */
export const PUBLISHED: Settings = {
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
