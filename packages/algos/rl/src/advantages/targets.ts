/**
 * From a scored buffer to what the losses use: advantages, value targets, and the steps that the policy learns from.
 *
 * Order as in `docs/specs/algorithms.md` 18: estimator, shifts (format reward, guidance), normalization, filter.
 */
import type { ActorCriticConfig, CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { estimateAdvantages } from './estimate.js';
import { moments, normalize } from './normalize.js';
import { type Shift, type ShiftedAdvantages, shiftedAdvantages } from './shifts.js';

/** [B] one number per step, or [B][L] one per token of its response. */
export type PerStepOrToken = Float64Array | readonly Float64Array[];

export const isPerToken = (values: PerStepOrToken | readonly never[]): values is readonly Float64Array[] =>
  Array.isArray(values) && values.length > 0;

export interface Targets {
  /** For the policy loss. */
  readonly advantages: PerStepOrToken;
  /** For the critic, in units of reward; absent without a critic. */
  readonly returns?: PerStepOrToken;
  /** [B] 1 on steps that the policy loss uses. */
  readonly policyMask: Uint8Array;
}

/** Targets of actor and critic. @param shifts  Shifts from guidance; the format reward is added here. */
export function estimateTargets(
  buffer: RolloutBuffer,
  config: ActorCriticConfig,
  metrics: MetricsTally,
  shifts: readonly Shift[] = [],
): Targets {
  const { steps } = buffer;
  const { normalize: scope, std, eps } = config.advantage;
  // the outcome of a random action is not evidence about the actions that the agent chose
  const chosen = chosenByAgent(steps, config);
  const shifted = shift(buffer, config, shifts, scope === 'buffer' && { std, eps, mask: chosen });
  if (config.rollout.fallbackLoss === 'format-only') {
    const { formatInvalid, formatValid, scale } = config.reward;
    const fallbackAdvantage = scale * (formatInvalid - formatValid);
    const unit = scope === 'none' ? 1 : Math.max(moments(shifted.raw, chosen).sampleStd, Math.abs(fallbackAdvantage));
    setFallback(steps, shifted.advantages, fallbackAdvantage === 0 ? 0 : fallbackAdvantage / unit);
  }
  const targets = withMask(steps, shifted.advantages, config);
  advantageMetrics(steps, shifted.raw, targets, metrics);
  valueMetrics(
    steps.map(({ value }) => value),
    shifted.valueTargets,
    metrics,
  );
  return { ...targets, returns: shifted.valueTargets };
}

/** [B] advantages as the estimator gives them, with the format reward and without guidance, before normalization. */
export const rawAdvantages = (buffer: RolloutBuffer, config: ActorCriticConfig): Float64Array =>
  shift(buffer, config, [], false).raw;

/**
 * Targets from advantages that are estimated already.
 *
 * @param advantages  E.g. that of the episode on each of its steps.
 * @param returns     Targets of the critic, in units of reward; omitted without a critic.
 */
export function targetsFrom(
  { steps }: RolloutBuffer,
  advantages: PerStepOrToken,
  config: CommonConfig,
  metrics: MetricsTally,
  returns?: PerStepOrToken,
): Targets {
  if (config.rollout.fallbackLoss === 'format-only') {
    const { formatInvalid, formatValid } = config.reward;
    setFallback(steps, advantages, Math.sign(formatInvalid - formatValid));
  }
  const targets = withMask(steps, advantages, config);
  advantageMetrics(steps, advantages, targets, metrics);
  if (!returns) return targets;
  valueMetrics(
    steps.flatMap(({ value, tokenValues }) => (isPerToken(returns) ? [...tokenValues!] : value)),
    flat(returns),
    metrics,
  );
  return { ...targets, returns };
}

/**
 * [B][L] (A − mean) / standard deviation over all tokens of the buffer. Steps without their own action are shifted and
 * scaled too, and do not count, unless `rollout.fallbackLoss` keeps them.
 */
export function normalizeTokens(
  { steps }: RolloutBuffer,
  advantages: readonly Float64Array[],
  config: CommonConfig,
): Float64Array[] {
  const chosen = chosenByAgent(steps, config);
  const mask = advantages.flatMap((each, row) => Array<number>(each.length).fill(chosen[row]!));
  const normalized = normalize(flat(advantages), { mask });
  let start = 0;
  return advantages.map(({ length }) => {
    start += length;
    return normalized.slice(start - length, start);
  });
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
function setFallback(steps: readonly StepRecord[], advantages: PerStepOrToken, fallbackAdvantage: number): void {
  steps.forEach((step, i) => {
    if (!step.fallback) return;
    if (isPerToken(advantages)) advantages[i]!.fill(fallbackAdvantage);
    else advantages[i] = fallbackAdvantage;
  });
}

/** Masked fallback steps, and failed, stale and filtered steps, do not enter the policy loss. */
function withMask(steps: readonly StepRecord[], advantages: PerStepOrToken, config: CommonConfig) {
  const { minAbsAdvantage } = config.filter;
  const largest = (i: number) =>
    isPerToken(advantages)
      ? advantages[i]!.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
      : Math.abs(advantages[i]!);
  const policyMask = Uint8Array.from(steps, (step, i) => {
    const keep =
      !step.withheld &&
      !(step.fallback && config.rollout.fallbackLoss === 'mask') &&
      step.error === undefined &&
      largest(i) >= minAbsAdvantage;
    return keep ? 1 : 0;
  });
  return { advantages, policyMask };
}

function advantageMetrics(
  steps: readonly StepRecord[],
  estimated: PerStepOrToken,
  { policyMask }: Pick<Targets, 'policyMask'>,
  metrics: MetricsTally,
): void {
  const advantages = flat(estimated);
  const { mean, sampleStd } = moments(advantages);
  metrics.setAll({
    'advantage/mean': mean,
    'advantage/std': sampleStd,
    'advantage/zero-share': advantages.filter((value) => value === 0).length / Math.max(1, advantages.length),
    'advantage/trained-share': policyMask.reduce((sum, bit) => sum + bit, 0) / Math.max(1, steps.length),
  });
}

/** [B], or the tokens of all responses one after the other. */
const flat = (values: PerStepOrToken): Float64Array =>
  isPerToken(values) ? Float64Array.from(values.flatMap((each) => [...each])) : values;

function valueMetrics(predicted: readonly number[], valueTargets: Float64Array, metrics: MetricsTally): void {
  const returns = moments(valueTargets);
  const values = moments(predicted);
  const errors = moments(predicted.map((value, i) => valueTargets[i]! - value));
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
