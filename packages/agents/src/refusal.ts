/** Reasons in a player's words: why an action would change nothing, before it costs a step, and why a hint is missing. */
import type { AnyEnv } from '@vlgym/core';
import { actionText, actionWords } from './actions.js';

/**
 * The environment's reason against the action (`describeRefusal`), or else that of its mask; `undefined` if nothing speaks
 * against it.
 */
export function refusalOf(env: AnyEnv, action: unknown): string | undefined {
  const { unwrapped, actionSpace } = env;
  // a wrapper may have other actions than the environment under it
  if (unwrapped.describeRefusal && unwrapped.actionSpace.contains(action)) return unwrapped.describeRefusal(action);
  if (!actionWords(actionSpace) || !env.actionMask) return undefined;
  const { start = 0 } = actionSpace.toJSON() as { readonly start?: number };
  const isPossible = env.actionMask()[Number(action) - start] !== 0;
  return isPossible ? undefined : `"${actionText(actionSpace, action)}" is not possible now.`;
}

/** The reason why the expert has no action now. */
export function noHint({ oracle, oracleReason }: Pick<AnyEnv, 'oracle' | 'oracleReason'>): string {
  if (!oracle) return 'This game has no expert.';
  const reason = oracleReason?.();
  return `The expert sees no way from here${reason === undefined ? '' : `: ${reason}`}.`;
}
