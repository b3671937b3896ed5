/** Settings of RL4VLM: recommended, stabilized, and those of the published code (`docs/specs/algorithms.md` 3.5). */
import type { Overrides } from '@vlgym/rl';
import type { actorCriticOptions, stepLossOptions } from '@vlgym/rl/config';
import type { z } from 'zod';

type Settings = Overrides<z.ZodObject<typeof actorCriticOptions & { readonly loss: typeof stepLossOptions }>>;

/**
 * The published loss and critic: critic and policy share backbone, learning rate and gradient norm from the first update on,
 * the value loss reaches the backbone and is clipped around the old value. Ratios are evaluated on the prompt that was
 * answered, in evaluation mode, at the temperature of sampling. `PUBLISHED` is what the code does otherwise.
 */
export const RECOMMENDED: Settings = {
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

/** VL-DAC's stabilizers, and a critic that is fitted separately with its own rate; what GTR-Turbo with β = 0 is. */
export const STABILIZED: Settings = {
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

/** Differences in the published code: temperature, spans, ratio guard, time limits as ends, no format reward. */
export const PUBLISHED: Settings = {
  rollout: { temperature: 0.2, fallbackLoss: 'keep' },
  reward: { formatValid: 0, formatInvalid: 0 },
  advantage: { estimator: 'storage-gae', truncationIsTerminal: true, eps: 1e-5 },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  correction: { kind: 'none' },
  optimizer: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};
