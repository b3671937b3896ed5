/** The expert: plays the environment's `oracle()`, an upper reference for other agents. */
import type { Info } from '@vlgym/core';
import { drawAction } from './actions.js';
import type { Agent } from './agent.js';
import { NoOracleError } from './errors.js';
import { demonstration, turnFromAction } from './turn.js';

/**
 * When no action leads to success, this agent plays a random allowed action: the episode runs to its end, as it
 * would for any other agent.
 *
 * @throws {NoOracleError}  From `act`, on an environment without `oracle`.
 */
export function oracleAgent<O = unknown, A = unknown, I extends Info = Info>(): Agent<O, A, I> {
  return {
    name: 'oracle',
    act: (context) => {
      const { env } = context;
      if (!env.oracle) throw new NoOracleError(env.spec?.id);
      const action = env.oracle();
      if (action !== undefined) return demonstration(context, action);
      return turnFromAction(context, drawAction(context, env.actionMask?.()));
    },
  };
}
