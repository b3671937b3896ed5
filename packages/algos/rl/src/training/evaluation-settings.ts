/**
 * How a policy is judged: as it was trained, made from the algorithm's config in this one place. Training's evaluation,
 * final evaluations, `vlgym eval --agent policy` and reports all take these settings.
 */
import { EVALUATION_FALLBACK, type Fallback, type PolicyAgentOptions } from '@vlgym/agents';
import { constraintKind } from '@vlgym/core';
import type { ConstraintKind } from '@vlgym/core/dialogue';
import type { CommonConfig } from '../config/types.js';

export interface EvaluationSettings {
  /** 0 takes the most likely token. */
  readonly temperature: number;
  readonly maxNewTokens: number;
  readonly topK: number;
  readonly topP: number;
  readonly repetitionPenalty: number;
  readonly constrain: ConstraintKind | 'none';
  /** How an unreadable answer is handled. */
  readonly fallback: Fallback;
}

/** Settings that an evaluation may choose; all others are the training's. */
export interface EvaluationChoices {
  /** Default 0. */
  readonly temperature?: number | undefined;
  /** Default `illegal-noop`, regardless of the training's rule: a random action can succeed by luck. `random` as in papers. */
  readonly fallback?: Fallback | undefined;
}

/** @param config  Options of the algorithm that trained the policy; without one, of any with the task's options. */
export function evaluationSettings(
  { rollout }: Pick<CommonConfig, 'rollout'>,
  { temperature = 0, fallback = EVALUATION_FALLBACK }: EvaluationChoices = {},
): EvaluationSettings {
  // a different length or truncation of the distribution would make it a different agent
  const { maxNewTokens, topK, topP, repetitionPenalty, constrain = 'none' } = rollout;
  return { temperature, maxNewTokens, topK, topP, repetitionPenalty, constrain, fallback };
}

/** The options of `policyAgent` under these settings; the rule for unreadable answers belongs to `evaluate`. */
export function policyOptions({ fallback: _, constrain, ...sampling }: EvaluationSettings): PolicyAgentOptions {
  return { ...sampling, constrain: constraintKind(constrain) };
}
