/** The control that does not look: somebody else's actions, as often as they were taken, in random order. */
import { type Info, InvalidOptionError } from '@vlgym/core';
import { digestObservation } from '@vlgym/core/trajectory';
import type { Agent } from './agent.js';
import { turnFromAction } from './turn.js';

/**
 * Its success is what the habits of a policy are worth without its eyes: a walker that goes forward and turns right, say.
 *
 * @param actions  The actions of a recording, one an entry; each turn draws one with the episode's generator.
 * @throws {InvalidOptionError} There are none.
 */
export function blindAgent<O = unknown, A = unknown, I extends Info = Info>(actions: readonly A[]): Agent<O, A, I> {
  if (actions.length === 0) throw new InvalidOptionError('actions', actions, 'at least one action');
  return {
    name: 'blind',
    identity: async () => ({ actions: digestObservation(actions) }),
    act: (context) => turnFromAction(context, context.rng.choice(actions)),
  };
}
