/** The reason why an action would be in vain, in a player's words, before it costs a step. */
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
