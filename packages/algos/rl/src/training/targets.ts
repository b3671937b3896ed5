/**
 * From a scored buffer to what the losses use: advantages, value targets, and which steps the policy learns from.
 *
 * Order as in section 18 of `docs/specs/algorithms.md`: estimator → guidance → normalization → filter.
 */
import { moments } from '../estimators/normalize.js';
import { type Advantages, stepGae, storageGae } from '../estimators/step-gae.js';
import { guidanceShift, type Shift } from '../guidance/entry-points.js';
import { scalePenalty } from '../guidance/scale-penalty.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import type { AlgorithmConfig } from './config.js';
import type { MetricsTally } from './metrics.js';

export interface Targets {
  /** [B] for the policy loss. */
  readonly advantages: Float64Array;
  /** [B] for the critic, in units of reward. */
  readonly returns: Float64Array;
  /** [B] 1 on steps that the policy loss uses. */
  readonly policyMask: Uint8Array;
}

export function estimateTargets(buffer: RolloutBuffer, config: AlgorithmConfig, metrics: MetricsTally): Targets {
  const { steps, environments } = buffer;
  const format: Shift = { amount: steps.map((step) => step.reward.format), entry: config.reward.formatEntry };
  const estimate = (rewards: Float64Array) => estimateAdvantages(rewards, steps, environments, config.advantage);
  if (config.guidance.kind === 'teacher-kl') {
    const rewards = steps.map((step) => step.reward.environment);
    scalePenalty(steps, guidanceShift(rewards, [format], estimate, false).raw, config, metrics);
  }
  const shifts = [format, { amount: steps.map((step) => step.reward.teacher), entry: config.guidance.klEntry }];
  const { normalize, std, eps } = config.advantage;
  // what followed a step without an action of its own was chance; it says nothing about the others
  const own =
    config.rollout.fallbackLoss === 'keep' ? steps.map(() => 1) : steps.map((step) => (step.fallback ? 0 : 1));
  const shifted = guidanceShift(
    steps.map((step) => step.reward.environment),
    shifts,
    estimate,
    normalize === 'buffer' && { std, eps, mask: own },
  );
  if (config.rollout.fallbackLoss === 'format-only') {
    const blame = fallbackAdvantage(moments(shifted.raw, own).sampleStd, config);
    steps.forEach((step, i) => {
      if (step.fallback) shifted.advantages[i] = blame;
    });
  }
  const policyMask = trainedSteps(steps, shifted.advantages, config);

  const raw = moments(shifted.raw);
  const returns = moments(shifted.valueTargets);
  const values = moments(steps.map((step) => step.value));
  const errors = moments(steps.map((step, i) => shifted.valueTargets[i]! - step.value));
  metrics.setAll({
    'advantage/mean': raw.mean,
    'advantage/std': raw.sampleStd,
    'advantage/zero-share': shifted.raw.filter((value) => value === 0).length / Math.max(1, steps.length),
    'advantage/trained-share': policyMask.reduce((sum, bit) => sum + bit, 0) / Math.max(1, steps.length),
    'value/mean': values.mean,
    'value/std': values.sampleStd,
    'value/return-mean': returns.mean,
    'value/return-std': returns.sampleStd,
  });
  if (returns.populationStd > 0) {
    metrics.set('value/explained-variance', 1 - errors.populationStd ** 2 / returns.populationStd ** 2);
  }
  return { advantages: shifted.advantages, returns: shifted.valueTargets, policyMask };
}

/**
 * Advantage of giving no action: what a well-formed answer would have earned more, in the units of the others. The
 * spread is taken as no smaller than that, so that it stays a step of 1 where the others are all alike or absent.
 */
function fallbackAdvantage(spread: number, { reward, advantage }: AlgorithmConfig): number {
  const loss = reward.scale * (reward.formatInvalid - reward.formatValid);
  if (loss === 0 || advantage.normalize === 'none') return loss;
  return loss / Math.max(spread, Math.abs(loss));
}

function estimateAdvantages(
  rewards: Float64Array,
  steps: readonly StepRecord[],
  environments: number,
  options: AlgorithmConfig['advantage'],
): Advantages {
  const { estimator, gamma, lambda, truncationIsTerminal } = options;
  if (estimator === 'storage-gae') return storedAdvantages(rewards, steps, environments, options);
  const gae = stepGae(
    {
      rewards,
      values: steps.map((step) => step.value),
      nextValues: steps.map((step) => step.nextValue),
      terminated: steps.map((step) => step.terminated),
      truncated: steps.map((step) => step.truncated),
      environments,
    },
    { gamma, lambda: estimator === 'step-gae' ? lambda : 1, truncationIsTerminal },
  );
  return estimator === 'constant' ? { ...gae, advantages: gae.advantages.fill(1) } : gae;
}

/** The published rollout storage, one environment after the other. */
function storedAdvantages(
  rewards: Float64Array,
  steps: readonly StepRecord[],
  environments: number,
  options: AlgorithmConfig['advantage'],
): Advantages {
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  for (let environment = 0; environment < environments; environment++) {
    const rows = Array.from({ length: rewards.length / environments }, (_, step) => step * environments + environment);
    const one = storageGae(
      {
        rewards: rows.map((row) => rewards[row]!),
        values: rows.map((row) => steps[row]!.value),
        bootstrap: steps[rows.at(-1)!]!.nextValue,
        notDone: rows.map((row) => (steps[row]!.terminated || steps[row]!.truncated ? 0 : 1)),
        ...(!options.truncationIsTerminal && { notTimeLimit: rows.map((row) => (steps[row]!.truncated ? 0 : 1)) }),
      },
      options,
    );
    rows.forEach((row, step) => {
      advantages[row] = one.advantages[step]!;
      returns[row] = one.returns[step]!;
    });
  }
  return { advantages, returns };
}

/** [B] fallback steps and filtered ones are 0. */
function trainedSteps(steps: readonly StepRecord[], advantages: Float64Array, config: AlgorithmConfig): Uint8Array {
  const { dropInvalidFormat, minAbsAdvantage, entropyShare } = config.filter;
  const floor = entropyShare < 1 ? entropyFloor(steps, entropyShare) : Number.NEGATIVE_INFINITY;
  return Uint8Array.from(steps, (step, i) => {
    const keep =
      !(step.fallback && config.rollout.fallbackLoss === 'mask') &&
      step.error === undefined &&
      !(dropInvalidFormat && !step.parsed.formatValid) &&
      Math.abs(advantages[i]!) >= minAbsAdvantage &&
      moments(step.entropies).mean >= floor;
    return keep ? 1 : 0;
  });
}

/** Mean entropy that the given share of steps reaches. */
function entropyFloor(steps: readonly StepRecord[], share: number): number {
  const sorted = steps.map((step) => moments(step.entropies).mean).sort((a, b) => b - a);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NEGATIVE_INFINITY;
}
