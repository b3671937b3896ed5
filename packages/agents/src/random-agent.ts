/** The agent every other one has to beat: uniform over the actions allowed now. */
import type { Info } from '@vlgym/core';
import { drawAction } from './actions.js';
import type { Agent } from './agent.js';
import { sayAction } from './speech.js';

/**
 * Draws from the actions that the dialogue lists for the turn, or else from the action space under `actionMask`; chance
 * comes from the episode's generator alone. Speaks where the environment has a dialogue.
 */
export function randomAgent<O = unknown, A = unknown, I extends Info = Info>(): Agent<O, A, I> {
  return {
    name: 'random',
    act: (context) => {
      const { env, rng } = context;
      const choices = env.dialogue?.choices?.(context);
      return sayAction(context, choices?.length ? rng.choice(choices) : drawAction(context, env.actionMask?.()));
    },
  };
}
