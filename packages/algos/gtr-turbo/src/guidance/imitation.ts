/** Imitation of corrected steps: each optimizer step first takes as many labels as it has steps of the agent. */
import type { Run } from '@vlgym/rl';
import { type MicroBatch, supervise } from '@vlgym/rl/update';
import type { CorrectorConfig, SftConfig } from '../options.js';
import type { DaggerSet } from './dagger-set.js';

/** Hooks of `optimize`. */
export function imitation(run: Run<CorrectorConfig | SftConfig, { readonly dagger: DaggerSet }>) {
  const { state, rng, config } = run;
  const { microBatch, microBatchTokens } = config.optimizer;
  return {
    beforeEpoch: () => state.dagger.shuffle(rng),
    beforeStep: async (microBatches: readonly MicroBatch[]) => {
      const count = microBatches.reduce((sum, { rows }) => sum + rows, 0);
      const labels = state.dagger.draw(count, rng);
      await supervise(run, labels, { coefficient: config.guidance.sftCoefficient, microBatch, microBatchTokens });
    },
  };
}
