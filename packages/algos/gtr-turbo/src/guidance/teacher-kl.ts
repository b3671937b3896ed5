/**
 * KL of the agent to the merged teacher, on the exact prompt, pictures and sampled tokens of each step.
 *
 * It is measured with the weights that sampled the buffer, so it is a constant. Rules: `docs/specs/algorithms.md` 6; what
 * the published code gets wrong (unshifted logits, no pictures, re-tokenized text, 100 for unparsable) is listed in 6.4.
 */
import type { Divergence, MetricsTally, RolloutBuffer, StepRecord } from '@vlgym/rl';
import { stepKl } from '@vlgym/rl/losses';
import type { KlGuidance } from '../options.js';

/** The measurement that `rescore` must add to its pass. */
export const teacherDivergence = ({ klEstimator, klTemperature }: KlGuidance): Divergence => ({
  from: 'teacher',
  temperature: klTemperature,
  kind: klEstimator === 'exact' ? 'exact-kl' : 'log-ratio',
});

/**
 * Mean KL(agent ‖ teacher) of every step over the guided tokens, at most `klCap`.
 *
 * @param divergences [B][L] of `teacherDivergence`.
 * @returns [B] nats.
 */
export function teacherKl(
  { steps }: RolloutBuffer,
  divergences: readonly Float32Array[],
  guidance: KlGuidance,
  metrics: MetricsTally,
): number[] {
  let capped = 0;
  const kls = steps.map((step, i) => {
    if (!isParsed(step)) return klOfUnparsable(guidance);
    // one number per step stays within the cap for every estimator, so that no step flattens all others
    const kl = stepDivergence(step, divergences[i]!, guidance);
    const bounded = Math.min(kl, guidance.klCap);
    if (bounded < kl) capped += 1;
    return bounded;
  });
  const sorted = kls.toSorted((a, b) => a - b);
  metrics.setAll({
    'teacher/kl-mean': kls.reduce((sum, kl) => sum + kl, 0) / Math.max(1, kls.length),
    'teacher/kl-p95': sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0,
    'teacher/kl-capped-share': capped / Math.max(1, kls.length),
  });
  return kls;
}

function klOfUnparsable({ klUnparsable, klCap }: KlGuidance): number {
  if (klUnparsable === 'skip') return 0;
  return klUnparsable === 'cap' ? klCap : klUnparsable;
}

/** Mean over the guided tokens: of the exact KL, or of an estimate from the log-ratio of the sampled token. */
function stepDivergence(step: StepRecord, perToken: Float32Array, guidance: KlGuidance): number {
  const { klEstimator, klReduction: reduction, klCap: cap, klRange } = guidance;
  const mask = klRange === 'thought' ? step.thoughtMask : new Uint8Array(step.responseIds.length).fill(1);
  // the teacher's log-probability is already taken off
  const zeros = new Float32Array(perToken.length);
  if (klEstimator === 'exact') return stepKl(perToken, zeros, mask, { estimator: 'k1' });
  return stepKl(perToken, zeros, mask, { estimator: klEstimator, reduction, cap });
}

const isParsed = (step: StepRecord) => step.parsed.formatValid && !step.lengthTruncated;
