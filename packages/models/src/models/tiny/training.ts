/** How models of this family learn from play in a few thousand steps, all their weights trained. */
import type { ModelTraining } from '../../language-model.js';

/**
 * Defaults of papers are for LoRA on seven billion weights. Steps beyond 1e-4 undo the warm start within one update (Adam's
 * first steps have full size); half the temperature, in sampling and loss alike, makes most tokens nearly certain. A run of a
 * few hundred steps is over before Adam's usual average of squared gradients (0.999) has forgotten the first ones.
 */
export const smallTraining = {
  overrides: {
    rollout: { temperature: 0.5 },
    loss: { temperature: 0.5 },
    optimizer: { batch: 64, microBatch: 64, learningRate: { initial: 6e-5, final: 2e-5, period: 10 } },
  },
  optimizer: { betas: [0.9, 0.99] },
  supervisedLearningRate: 1e-3,
} satisfies ModelTraining;
