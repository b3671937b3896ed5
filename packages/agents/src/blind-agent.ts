/** The control that does not look: somebody else's actions, as often as they were taken, in random order. */
import { type Info, InvalidOptionError, type Space } from '@vlgym/core';
import { digestObservation } from '@vlgym/core/trajectory';
import type { Agent } from './agent.js';
import { turnFromAction } from './turn.js';

/**
 * Its success is what the habits of a policy are worth without its eyes: a walker that goes forward and turns right, say.
 *
 * @param actions  The actions of a recording as it has them, encoded by the action space; each turn draws one with the episode's generator.
 * @throws {InvalidOptionError} There are none. A turn throws it if one of them does not belong to the environment: a control that
 *   cannot act is worth nothing.
 */
export function blindAgent<O = unknown, A = unknown, I extends Info = Info>(
  actions: readonly unknown[],
): Agent<O, A, I> {
  if (actions.length === 0) throw new InvalidOptionError('actions', actions, 'at least one action');
  const spaces = new WeakMap<Space<A>, readonly A[]>();
  const decoded = (space: Space<A>): readonly A[] => {
    const known = spaces.get(space) ?? actions.map((action) => decode(space, action));
    spaces.set(space, known);
    return known;
  };
  return {
    name: 'blind',
    identity: async () => ({ actions: digestObservation(actions) }),
    act: (context) => turnFromAction(context, context.rng.choice(decoded(context.env.actionSpace))),
  };
}

function decode<A>(space: Space<A>, action: unknown): A {
  try {
    return space.decode(action);
  } catch {
    throw new InvalidOptionError('actions', action, `actions of ${space.describe()}`);
  }
}
