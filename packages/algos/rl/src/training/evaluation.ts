/**
 * Success on a fixed set of seeds, greedily by default: the curve that training is judged by, never its peak
 * (`docs/specs/algorithms.md` 13).
 */
import { type Evaluation, evaluate, policyAgent, type Scores, type TokenModel } from '@vlgym/agents';
import { type AnyEnv, type Awaitable, constraintKind } from '@vlgym/core';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { Policy, WeightSet } from '../policy.js';
import type { TrainOptions } from './train.js';

export interface EvaluationOptions {
  /** One episode per seed; at least 200 for figures that are reported. */
  readonly seeds: readonly number[];
  /** Evaluate every N updates; default 1. The last update is always evaluated. */
  readonly every?: number;
  /** 0 (default) takes the most likely token. */
  readonly temperature?: number;
  /** Steps after which an episode is given up; default: the environment's limit, or else 1000. */
  readonly maxSteps?: number;
  /** What the seeds are played in; default: as training. */
  readonly makeEnv?: () => Awaitable<AnyEnv>;
  /** Plays the evaluation in place of the above, e.g. to keep its episodes. @param update  Updates done. */
  readonly play?: (update: number) => Promise<Scores>;
}

/** Adds `evaluation/…` to the metrics. @param update  Updates done. */
export async function evaluatePolicy(
  options: TrainOptions,
  evaluation: EvaluationOptions,
  update: number,
  metrics: MetricsTally,
): Promise<void> {
  const { play = () => playSeeds(options, evaluation) } = evaluation;
  const result = await metrics.timed('evaluation', () => play(update));
  options.signal?.throwIfAborted();
  const measured = {
    'evaluation/success-rate': result.successRate,
    'evaluation/success-low': result.interval95[0],
    'evaluation/success-high': result.interval95[1],
    'evaluation/return': result.meanReturn,
    'evaluation/episode-length': result.meanLength,
    'evaluation/episodes': result.counted,
    'evaluation/fallback': result.fallbackRate,
    ...(result.legalRate !== undefined && { 'evaluation/legal': result.legalRate }),
    ...(result.formatRate !== undefined && { 'evaluation/format-valid': result.formatRate }),
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
  const { seeds, temperature = 0, maxSteps, makeEnv: env = () => makeEnv(0) } = evaluation;
  // only the temperature differs from training: other answers, or another rule for none, would be another agent
  const { maxNewTokens, topK, topP, repetitionPenalty, fallback, constrain } = algorithm.config.rollout;
  const model = weights === 'current' ? policy : withWeights(policy, weights);
  return evaluate({
    env,
    agent: policyAgent(model, {
      temperature,
      maxNewTokens,
      topK,
      topP,
      repetitionPenalty,
      constrain: constrain && constraintKind(constrain),
    }),
    fallback,
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
