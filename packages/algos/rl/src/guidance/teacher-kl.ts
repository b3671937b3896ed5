/**
 * Guidance by the merged teacher's KL, on the exact prompt, pictures and sampled tokens of each step.
 *
 * `rescore` has measured it with the weights that sampled the buffer, so it is a constant. Rules: `docs/specs/algorithms.md` 6; what
 * the published code gets wrong (unshifted logits, no pictures, re-tokenized text, 100 for unparsable) is listed in 6.4.
 */
import type { Generator } from '@vlgym/core';
import { stepKl } from '../kl/estimators.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { MetricsTally } from '../training/metrics.js';

/**
 * Sets `reward.teacher` of every step to −β·KL(agent ‖ teacher) in nats; `estimateTargets` brings it to the scale of the
 * advantages where that is asked for.
 */
export function penalizeTeacherKl(
  { steps }: RolloutBuffer,
  config: AlgorithmConfig,
  { rng, metrics }: { readonly rng: Generator; readonly metrics: MetricsTally },
): void {
  const { guidance } = config;
  const kls = steps.map((step) => stepDivergence(step, config));
  let capped = 0;
  const final = kls.map((kl, i) => {
    if (!isParsed(steps[i]!)) {
      if (guidance.klUnparsable === 'skip') return 0;
      return guidance.klUnparsable === 'cap' ? guidance.klCap : guidance.klUnparsable;
    }
    // one number per step stays within the cap whatever the estimator, so that no step flattens all others
    const bounded = Math.min(kl, guidance.klCap);
    if (bounded < kl) capped += 1;
    return bounded;
  });
  const places = guidance.permute ? rng.permutation(steps.length) : undefined;
  steps.forEach((step, i) => {
    step.reward.teacher = -guidance.klCoefficient * final[places?.[i] ?? i]!;
  });

  const sorted = final.toSorted((a, b) => a - b);
  metrics.setAll({
    'teacher/kl-mean': final.reduce((sum, kl) => sum + kl, 0) / Math.max(1, final.length),
    'teacher/kl-p95': sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0,
    'teacher/kl-capped-share': capped / Math.max(1, final.length),
  });
}

/** Mean over the guided tokens: of the exact KL, or of an estimate from the log-ratio of the sampled token. */
function stepDivergence(step: StepRecord, { guidance }: AlgorithmConfig): number {
  const { klEstimator, klReduction: reduction, klCap: cap, klRange } = guidance;
  const perToken = step.teacherDivergence!;
  const mask = klRange === 'thought' ? step.thoughtMask : new Uint8Array(step.responseIds.length).fill(1);
  // the teacher's log-probability is already taken off
  const zeros = new Float32Array(perToken.length);
  if (klEstimator === 'exact') return stepKl(perToken, zeros, mask, { estimator: 'k1' });
  return stepKl(perToken, zeros, mask, { estimator: klEstimator, reduction, cap });
}

const isParsed = (step: StepRecord) => step.parsed.formatValid && !step.lengthTruncated;
