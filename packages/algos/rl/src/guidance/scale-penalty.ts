/** The size of the teacher's penalty beside the advantages that it is taken off, and its scale by that size. */
import { moments } from '../estimators/normalize.js';
import type { StepRecord } from '../rollout/record.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { MetricsTally } from '../training/metrics.js';

/** Nats. KLs that vary less are rounding, or a teacher that is the agent itself; scaled up they would be noise. */
export const MIN_KL_STD = 1e-4;

/**
 * Brings `reward.teacher` to the scale of `guidance.klScale` and notes `teacher/penalty-share`: the standard deviation
 * of the penalty over that of the advantages.
 *
 * @param advantages [B] without the penalty, before normalization.
 */
export function scalePenalty(
  steps: readonly StepRecord[],
  advantages: Float64Array,
  { guidance }: AlgorithmConfig,
  metrics: MetricsTally,
): void {
  const spread = moments(advantages).sampleStd;
  const penalties = () => steps.map((step) => step.reward.teacher);
  if (guidance.klScale === 'advantage-std' && guidance.klCoefficient > 0) {
    const klSpread = moments(penalties()).sampleStd / guidance.klCoefficient;
    const scale = spread / Math.max(klSpread, MIN_KL_STD);
    for (const step of steps) step.reward.teacher *= scale;
  }
  if (spread > 0) metrics.set('teacher/penalty-share', moments(penalties()).sampleStd / spread);
}
