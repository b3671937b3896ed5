/** The random baseline: uniform over the actions allowed now. */
import type { Info } from '@vlgym/core';
import { drawAction } from './actions.js';
import type { Agent } from './agent.js';
import { turnFromAction } from './turn.js';

/**
 * Draws from the actions that the dialogue lists for the turn, otherwise from the action space under `actionMask`, with
 * the episode's generator. Its turns have no text.
 */
export function randomAgent<O = unknown, A = unknown, I extends Info = Info>(): Agent<O, A, I> {
  return {
    name: 'random',
    act: (context) => {
      const { env, rng } = context;
      const choices = env.dialogue?.choices?.(context);
      return turnFromAction(context, choices?.length ? rng.choice(choices) : drawAction(context, env.actionMask?.()));
    },
  };
}
