/** Handling of responses from which no action could be read (`docs/specs/algorithms.md` 3.4). */
import type { Info } from '@vlgym/core';
import { drawAction } from './actions.js';
import type { AgentContext } from './agent.js';

/**
 * `illegal-noop`: the environment is not stepped; the turn counts, for time limits too, and its reward is 0.
 * `random`: a uniformly random action is executed, as in the published code, and its reward counts.
 * `terminate`: the episode ends here.
 */
export const FALLBACKS = ['illegal-noop', 'random', 'terminate'] as const;
export type Fallback = (typeof FALLBACKS)[number];

/** Evaluations judge the answers: a random action instead of an unreadable answer can succeed by luck. */
export const EVALUATION_FALLBACK: Fallback = 'illegal-noop';

/** The rule in words, for the head of a table: `an unreadable answer is …`. */
export const FALLBACK_WORDS: Readonly<Record<Fallback, string>> = {
  'illegal-noop': 'a turn that does nothing',
  random: 'a random action',
  terminate: 'the end of the episode',
};

/**
 * The published random action: uniform over the actions the dialogue lists for the prompt (ALFWorld's admissible
 * commands), otherwise over the whole action space, allowed or not (card games).
 */
export function fallbackAction<O, A, I extends Info>(context: AgentContext<O, A, I>): A {
  const choices = context.env.dialogue?.choices?.(context);
  return choices?.length ? context.rng.choice(choices) : drawAction(context);
}
