/**
 * From what a response said to what the environment does. Evaluation, rollouts of training and workers of a queue all
 * decide here, so that a response has the same consequences wherever it is played.
 */
import type { AnyEnv, Awaitable, Info, StepResult } from '@vlgym/core';
import type { AgentContext } from './agent.js';
import { type Fallback, fallbackAction } from './fallback.js';

export interface Move {
  /** What the environment executes; absent: it is not stepped. */
  readonly action?: unknown;
  /** The response named no action, so the fallback rule decided. */
  readonly fallback: boolean;
}

/** What the turn of an environment that is not stepped results in. */
export type Standstill = Pick<StepResult<unknown>, 'reward' | 'terminated' | 'truncated'>;

/** @param said  The action of the response; `undefined` if none could be read. */
export function moveOf<O, A, I extends Info>(context: AgentContext<O, A, I>, said: unknown, rule: Fallback): Move {
  if (said !== undefined) return { action: said, fallback: false };
  return rule === 'random' ? { action: fallbackAction(context), fallback: true } : { fallback: true };
}

/** Steps the environment, or leaves it as it was seen. */
export function playMove(
  env: AnyEnv,
  { action }: Move,
  seen: Pick<StepResult<unknown>, 'observation' | 'info'>,
  standstill: Standstill,
): Awaitable<StepResult<unknown>> {
  if (action !== undefined) return env.step(action);
  return { observation: seen.observation, info: seen.info, ...standstill };
}
