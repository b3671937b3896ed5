/** The expert: plays what the environment's `oracle()` says, and so bounds what any agent can reach. */
import type { Info } from '@vlgym/core';
import { drawAction } from './actions.js';
import type { Agent } from './agent.js';
import { NoOracleError } from './errors.js';
import { sayAction } from './speech.js';

/**
 * Where no action leads to success any more, the oracle draws an allowed action by chance: the episode goes on to its
 * own end, as it would for any other agent.
 *
 * @throws {NoOracleError}  From `act`, on an environment without `oracle`.
 */
export function oracleAgent<O = unknown, A = unknown, I extends Info = Info>(): Agent<O, A, I> {
  return {
    name: 'oracle',
    act: (context) => {
      const { env } = context;
      if (!env.oracle) throw new NoOracleError(env.spec?.id);
      return sayAction(context, env.oracle() ?? drawAction(context, env.actionMask?.()));
    },
  };
}
