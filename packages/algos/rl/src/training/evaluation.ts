/**
 * Success on a fixed set of seeds, greedily by default: the curve that training is judged by, never its peak
 * (`docs/specs/algorithms.md` 13).
 */
import { type Evaluation, evaluate, policyAgent, rememberGreedy } from '@vlgym/agents';
import type { TokenModel } from '@vlgym/agents/model';
import { checkNames, names } from '@vlgym/core/internal';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { Policy, WeightSet } from '../policy.js';
import { evaluationSettings, policyOptions } from './evaluation-settings.js';
import type { EvaluationOptions, TrainOptions } from './types.js';

const EVALUATE_POLICY_OPTIONS = names<EvaluationOptions>({
  seeds: 0,
  every: 0,
  maxSteps: 0,
  makeEnv: 0,
  play: 0,
  temperature: 0,
  fallback: 0,
});

/** Adds `evaluation/…` to the metrics. @param update  Updates done. */
export async function evaluatePolicy(
  options: TrainOptions,
  evaluation: EvaluationOptions,
  update: number,
  metrics: MetricsTally,
): Promise<void> {
  checkNames('options', evaluation, EVALUATE_POLICY_OPTIONS);
  const { play = () => playSeeds(options, evaluation) } = evaluation;
  await options.policy.forgetPrompts?.();
  const result = await metrics.timed('evaluation', () => play(update));
  options.signal?.throwIfAborted();
  const measured = {
    'evaluation/success-rate': result.successRate,
    'evaluation/success-low': result.interval95[0],
    'evaluation/success-high': result.interval95[1],
    'evaluation/strict-success-rate': result.strictRate,
    'evaluation/return': result.meanReturn,
    'evaluation/episode-length': result.meanLength,
    'evaluation/episodes': result.counted,
    'evaluation/fallback': result.fallbackRate,
    ...(result.legalRate !== undefined && { 'evaluation/legal': result.legalRate }),
    ...(result.formatRate !== undefined && { 'evaluation/format-valid': result.formatRate }),
    ...(result.thoughtRate !== undefined && { 'evaluation/thought-correct': result.thoughtRate }),
  };
  // without a counted episode there are no rates
  metrics.setAll(Object.fromEntries(Object.entries(measured).filter(([, value]) => Number.isFinite(value))));
}

/** Plays the fixed seeds with one set of weights. */
export function playSeeds(
  { policy, algorithm, makeEnv, numEnvs, signal }: TrainOptions,
  evaluation: EvaluationOptions,
  weights: WeightSet = 'current',
): Promise<Evaluation> {
  const { seeds, maxSteps, makeEnv: env = () => makeEnv(0, 0) } = evaluation;
  const settings = evaluationSettings(algorithm.config, evaluation);
  const model = weights === 'current' ? policy : withWeights(policy, weights);
  return evaluate({
    env,
    agent: policyAgent(rememberGreedy(model), policyOptions(settings)),
    fallback: settings.fallback,
    seeds,
    parallel: numEnvs,
    ...(maxSteps !== undefined && { maxSteps }),
    ...(signal && { signal }),
  });
}

/** The policy with other weights than the current ones. */
const withWeights = (policy: Policy, weights: WeightSet): TokenModel => ({
  name: `${policy.name} (${weights})`,
  version: policy.version,
  generate: (prompts, options) => policy.generate(prompts, { ...options, weights }),
});
