/**
 * Success on a fixed set of seeds, greedily: the curve that training is judged by, never its peak (`algorithms.md` 13).
 */
import { type AnyEnv, Generator } from '@vlgym/core';
import type { MetricsTally } from './metrics.js';
import type { TrainOptions } from './train.js';

export interface EvaluationOptions {
  /** One episode per seed; at least 200 for figures that are reported. */
  readonly seeds: readonly number[];
  /** Evaluate after every so many updates; default 1. The last update is always evaluated. */
  readonly every?: number;
  /** 0 (default) takes the most likely token. */
  readonly temperature?: number;
  /** Steps after which an episode is given up; default 100. */
  readonly maxSteps?: number;
}

export async function evaluatePolicy(
  _options: TrainOptions,
  _evaluation: EvaluationOptions,
  _metrics: MetricsTally,
): Promise<void> {}
export type { AnyEnv };
export { Generator };
