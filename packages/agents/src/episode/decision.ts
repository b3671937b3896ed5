/**
 * From what a response says to what the environment does. Whoever drives an episode decides by this rule, so a response has
 * the same consequences in an evaluation, a rollout of training, a worker of a queue and a session of a server.
 */
import type { ParsedResponse } from '@vlgym/core';
import type { AgentContext } from '../agent.js';
import { type Fallback, fallbackAction } from '../fallback.js';

/** The result of a turn; `Episode.act` applies it. */
export interface Decision<Action = unknown> {
  /** The response; empty for agents that produce no text. */
  readonly text: string;
  /** How the episode read it; absent if the agent named the action itself. */
  readonly parsed?: ParsedResponse<Action>;
  /** The action that the environment executes; if absent, the environment is not stepped. */
  readonly action?: Action;
  /** No action could be read: the rule for unreadable answers decided. */
  readonly fallback: boolean;
}

/** @param parsedAction  The action of the response; `undefined` if none could be read. */
export function resolveAction<A>(
  context: AgentContext<unknown, A>,
  parsedAction: A | undefined,
  rule: Fallback,
): Pick<Decision<A>, 'action' | 'fallback'> {
  if (parsedAction !== undefined) return { action: parsedAction, fallback: false };
  return rule === 'random' ? { action: fallbackAction(context), fallback: true } : { fallback: true };
}
