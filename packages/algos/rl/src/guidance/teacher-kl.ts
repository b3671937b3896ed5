/**
 * Guidance by the merged teacher's KL: one forward on the exact prompt, pictures and sampled tokens of each step.
 *
 * Computed once per buffer with the weights that sampled it, so it is a constant. Rules: `algorithms.md` 6; what the
 * published code gets wrong (unshifted logits, no pictures, re-tokenised text, 100 for unparsable) is listed in 6.4.
 */
import { stepKl } from '../kl/estimators.js';
import type { Policy } from '../policy.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { sequenceOf } from '../rollout/rescore.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { MetricsTally } from '../training/metrics.js';

/** Sets `reward.teacher` of every step to −β·KL(agent ‖ teacher). */
export async function penaliseTeacherKl(
  policy: Policy,
  { steps }: RolloutBuffer,
  config: AlgorithmConfig,
  metrics: MetricsTally,
): Promise<void> {
  const { guidance } = config;
  const temperature = guidance.klTemperature;
  const sequences = steps.map(sequenceOf);
  let kls: number[];
  if (guidance.klEstimator === 'exact') {
    const perToken = await policy.exactKl(sequences, 'teacher', { temperature });
    kls = steps.map((step, i) =>
      stepKl(perToken[i]!, new Float32Array(perToken[i]!.length), range(step, config), { estimator: 'k1' }),
    );
  } else {
    const { klEstimator: estimator, klReduction: reduction, klCap: cap } = guidance;
    const teacher = await policy.score(sequences, { temperature, weights: 'teacher' });
    const agent =
      temperature === config.loss.temperature
        ? steps.map((step) => step.oldLogProbs)
        : (await policy.score(sequences, { temperature })).logProbs;
    kls = steps.map((step, i) =>
      stepKl(agent[i]!, teacher.logProbs[i]!, range(step, config), { estimator, reduction, cap }),
    );
  }

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
  steps.forEach((step, i) => {
    step.reward.teacher = -guidance.klCoefficient * final[i]!;
  });

  const sorted = final.toSorted((a, b) => a - b);
  metrics.setAll({
    'teacher/kl-mean': final.reduce((sum, kl) => sum + kl, 0) / Math.max(1, final.length),
    'teacher/kl-p95': sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0,
    'teacher/kl-capped-share': capped / Math.max(1, final.length),
  });
}

const isParsed = (step: StepRecord) => step.parsed.formatValid && !step.lengthTruncated;

const range = (step: StepRecord, { guidance }: AlgorithmConfig): ArrayLike<number> =>
  guidance.klRange === 'thought' ? step.thoughtMask : new Uint8Array(step.responseIds.length).fill(1);
