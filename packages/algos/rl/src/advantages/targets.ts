/**
 * From a scored buffer to what the losses use: advantages, value targets, and the steps that the policy learns from.
 *
 * Order as in `docs/specs/algorithms.md` 18: estimator, shifts (format reward, guidance), normalization, filter.
 */
import type { ActorCriticConfig, CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { estimateAdvantages } from './estimate.js';
import { moments } from './normalize.js';
import { type Shift, type ShiftedAdvantages, shiftedAdvantages } from './shifts.js';

export interface Targets {
  /** [B] for the policy loss. */
  readonly advantages: Float64Array;
  /** [B] for the critic, in units of reward; absent without a critic. */
  readonly returns?: Float64Array;
  /** [B] 1 on steps that the policy loss uses. */
  readonly policyMask: Uint8Array;
}

/** Targets of actor and critic. @param shifts  Of guidance; the format reward is added here. */
export function estimateTargets(
  buffer: RolloutBuffer,
  config: ActorCriticConfig,
  metrics: MetricsTally,
  shifts: readonly Shift[] = [],
): Targets {
  const { steps } = buffer;
  const { normalize, std, eps } = config.advantage;
  // what followed a random action says nothing about the actions that the agent chose
  const chosen = chosenByAgent(steps, config);
  const shifted = shift(buffer, config, shifts, normalize === 'buffer' && { std, eps, mask: chosen });
  if (config.rollout.fallbackLoss === 'format-only') {
    const { formatInvalid, formatValid, scale } = config.reward;
    const fallbackAdvantage = scale * (formatInvalid - formatValid);
    const unit =
      normalize === 'none' ? 1 : Math.max(moments(shifted.raw, chosen).sampleStd, Math.abs(fallbackAdvantage));
    setFallback(steps, shifted.advantages, fallbackAdvantage === 0 ? 0 : fallbackAdvantage / unit);
  }
  const targets = withMask(steps, shifted.advantages, config);
  advantageMetrics(steps, shifted.raw, targets, metrics);
  valueMetrics(steps, shifted.valueTargets, metrics);
  return { ...targets, returns: shifted.valueTargets };
}

/** [B] advantages as the estimator gives them, with the format reward and without guidance, before normalization. */
export const rawAdvantages = (buffer: RolloutBuffer, config: ActorCriticConfig): Float64Array =>
  shift(buffer, config, [], false).raw;

/**
 * Targets without a critic, from advantages that are estimated already.
 *
 * @param advantages [B] e.g. that of the episode on each of its steps.
 */
export function criticFreeTargets(
  { steps }: RolloutBuffer,
  advantages: Float64Array,
  config: CommonConfig,
  metrics: MetricsTally,
): Targets {
  if (config.rollout.fallbackLoss === 'format-only') {
    const { formatInvalid, formatValid } = config.reward;
    setFallback(steps, advantages, Math.sign(formatInvalid - formatValid));
  }
  const targets = withMask(steps, advantages, config);
  advantageMetrics(steps, advantages, targets, metrics);
  return targets;
}

function shift(
  buffer: RolloutBuffer,
  config: ActorCriticConfig,
  shifts: readonly Shift[],
  normalization: Parameters<typeof shiftedAdvantages>[3],
): ShiftedAdvantages {
  const { steps } = buffer;
  const format: Shift = { amount: steps.map((step) => step.reward.format), entry: config.reward.formatEntry };
  return shiftedAdvantages(
    steps.map((step) => step.reward.environment),
    [format, ...shifts],
    (rewards) => estimateAdvantages(rewards, buffer, config.advantage),
    normalization,
  );
}

/** [B] 0 where the fallback rule decided, unless such steps are kept. */
const chosenByAgent = (steps: readonly StepRecord[], { rollout }: CommonConfig): number[] =>
  steps.map((step) => (step.fallback && rollout.fallbackLoss !== 'keep' ? 0 : 1));

/**
 * Advantage of giving no action: what a well-formed answer would have earned more, in the units of the others. The spread
 * is taken as no smaller than that, so that it stays a step of 1 where the others are all alike or absent.
 */
function setFallback(steps: readonly StepRecord[], advantages: Float64Array, fallbackAdvantage: number): void {
  steps.forEach((step, i) => {
    if (step.fallback) advantages[i] = fallbackAdvantage;
  });
}

/** Fallback steps that are masked, failed, stale and filtered ones do not enter the policy loss. */
function withMask(steps: readonly StepRecord[], advantages: Float64Array, config: CommonConfig) {
  const { dropInvalidFormat, minAbsAdvantage, entropyShare } = config.filter;
  const floor = entropyShare < 1 ? entropyFloor(steps, entropyShare) : Number.NEGATIVE_INFINITY;
  const policyMask = Uint8Array.from(steps, (step, i) => {
    const keep =
      !step.withheld &&
      !(step.fallback && config.rollout.fallbackLoss === 'mask') &&
      step.error === undefined &&
      !(dropInvalidFormat && !step.parsed.formatValid) &&
      Math.abs(advantages[i]!) >= minAbsAdvantage &&
      moments(step.entropies).mean >= floor;
    return keep ? 1 : 0;
  });
  return { advantages, policyMask };
}

/** Mean entropy that the given share of steps reaches. */
function entropyFloor(steps: readonly StepRecord[], share: number): number {
  const sorted = steps.map((step) => moments(step.entropies).mean).sort((a, b) => b - a);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NEGATIVE_INFINITY;
}

function advantageMetrics(
  steps: readonly StepRecord[],
  advantages: Float64Array,
  { policyMask }: Pick<Targets, 'policyMask'>,
  metrics: MetricsTally,
): void {
  const { mean, sampleStd } = moments(advantages);
  metrics.setAll({
    'advantage/mean': mean,
    'advantage/std': sampleStd,
    'advantage/zero-share': advantages.filter((value) => value === 0).length / Math.max(1, steps.length),
    'advantage/trained-share': policyMask.reduce((sum, bit) => sum + bit, 0) / Math.max(1, steps.length),
  });
}

function valueMetrics(steps: readonly StepRecord[], valueTargets: Float64Array, metrics: MetricsTally): void {
  const returns = moments(valueTargets);
  const values = moments(steps.map((step) => step.value));
  const errors = moments(steps.map((step, i) => valueTargets[i]! - step.value));
  metrics.setAll({
    'value/mean': values.mean,
    'value/std': values.sampleStd,
    'value/return-mean': returns.mean,
    'value/return-std': returns.sampleStd,
  });
  if (returns.populationStd > 0) {
    metrics.set('value/explained-variance', 1 - errors.populationStd ** 2 / returns.populationStd ** 2);
  }
}
