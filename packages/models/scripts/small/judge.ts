/** How a model does on tasks of the test side, greedily. */
import { evaluate, policyAgent } from '@vlgym/agents';
import { type AnyEnv, make } from '@vlgym/core';
import type { ConstraintKind } from '@vlgym/core/dialogue';
import type { VlmPolicy } from '@vlgym/models';
import { evaluationSettings, policyOptions } from '@vlgym/rl';
import { rolloutOptions } from '@vlgym/rl/config';
import type { WarmStartPlan } from './lesson.js';

/** First evaluation seed. */
const FIRST_SEED = 1_000_000;

export interface Judgment {
  readonly episodes: number;
  /** Distinct tasks among them. */
  readonly tasks: number;
  readonly successRate: number;
  /** 95 % interval over tasks. */
  readonly interval95: readonly [number, number];
  /** 100 times the mean return; with its interval it is WebShop's score. */
  readonly score: number;
  readonly scoreInterval95: readonly [number, number];
  readonly legalRate?: number | undefined;
}

/** @param constrain  Hold answers to legal actions; default: anything can be said. */
export async function judge(
  lesson: WarmStartPlan,
  policy: VlmPolicy,
  episodes: number,
  constrain?: ConstraintKind,
): Promise<Judgment> {
  const { maxNewTokens } = lesson;
  const settings = evaluationSettings({ rollout: rolloutOptions.parse({ maxNewTokens, constrain }) });
  const options = { ...lesson.options, ...lesson.splits.test };
  const result = await evaluate({
    env: async () => (await make(lesson.env, { options })) as AnyEnv,
    agent: policyAgent(policy, policyOptions(settings)),
    fallback: settings.fallback,
    seeds: Array.from({ length: episodes }, (_, i) => FIRST_SEED + i),
    parallel: 32,
  });
  return {
    episodes: result.counted,
    tasks: result.tasks,
    successRate: result.successRate,
    interval95: [...result.interval95],
    score: 100 * result.meanReturn,
    scoreInterval95: [100 * result.returnInterval95[0], 100 * result.returnInterval95[1]],
    legalRate: result.legalRate,
  };
}
