/** From the KL of each step to the penalty that is taken off the advantages, in the unit of `guidance.klScale`. */
import type { Generator } from '@vlgym/core';
import type { MetricsTally } from '@vlgym/rl';
import { moments } from '@vlgym/rl/advantages';
import type { KlGuidance } from '../options.js';

/** Nats. KLs that vary less are rounding, or a teacher that equals the agent; scaled up they would be noise. */
export const MIN_KL_STD = 1e-4;

/**
 * −β·KL of every step; notes `teacher/penalty-share`: its standard deviation over that of the advantages.
 *
 * @param kls [B] nats.
 * @param advantages [B] without the penalty, before normalization.
 * @returns [B]
 */
export function teacherPenalty(
  kls: readonly number[],
  advantages: Float64Array,
  { klCoefficient, klScale, permute }: KlGuidance,
  { rng, metrics }: { readonly rng: Generator; readonly metrics: MetricsTally },
): number[] {
  const places = permute ? rng.permutation(kls.length) : undefined;
  const placed = places ? places.map((place) => kls[place]!) : kls;
  const advantageStd = moments(advantages).sampleStd;
  const unit = klScale === 'nats' ? 1 : advantageStd / Math.max(moments(placed).sampleStd, MIN_KL_STD);
  const penalties = placed.map((kl) => -klCoefficient * unit * kl);
  if (advantageStd > 0) metrics.set('teacher/penalty-share', moments(penalties).sampleStd / advantageStd);
  return penalties;
}
