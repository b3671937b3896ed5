/** What happens when no action could be read from a response (`docs/specs/algorithms.md` 3.4). */
import type { Info } from '@vlgym/core';
import { drawAction } from './actions.js';
import type { AgentContext } from './agent.js';

/**
 * `random`: a uniformly random action is executed, as in the published code, and its reward counts.
 * `illegal-noop`: the environment is not stepped; the turn counts, its reward is 0.
 * `terminate`: the episode ends here.
 */
export type Fallback = 'random' | 'illegal-noop' | 'terminate';

/**
 * The published random action: uniform over the actions the dialogue lists for the prompt (ALFWorld's admissible
 * commands), otherwise over the whole action space, allowed or not (card games).
 */
export function fallbackAction<O, A, I extends Info>(context: AgentContext<O, A, I>): A {
  const choices = context.env.dialogue?.choices?.(context);
  return choices?.length ? context.rng.choice(choices) : drawAction(context);
}
