/** Agents that play a script: actions, or responses that are parsed like a model's. */
import type { Awaitable, Info } from '@vlgym/core';
import { checkNames } from '@vlgym/core/internal';
import type { Agent, AgentContext } from './agent.js';
import { turnFromAction, turnFromResponse } from './turn.js';

type Script<T, O, A, I extends Info> = readonly T[] | ((context: AgentContext<O, A, I>) => Awaitable<T>);

const SCRIPTED_AGENT_OPTIONS = ['name'];

/**
 * Plays actions: one per turn from a list, or the result of a function of the context.
 *
 * A list that ends before the episode does ends it with the error `SCRIPT_OVER`.
 */
export function scriptedAgent<O = unknown, A = unknown, I extends Info = Info>(
  script: Script<A, O, A, I>,
  options: { readonly name?: string } = {},
): Agent<O, A, I> {
  checkNames('options', options, SCRIPTED_AGENT_OPTIONS);
  const { name = 'scripted' } = options;
  return { name, act: (context) => follow(script, context, (action) => turnFromAction(context, action)) };
}

/** Gives responses in the same way; the environment's dialogue parses them like a model's. */
export function speakingAgent<O = unknown, A = unknown, I extends Info = Info>(
  script: Script<string, O, A, I>,
  options: { readonly name?: string } = {},
): Agent<O, A, I> {
  checkNames('options', options, SCRIPTED_AGENT_OPTIONS);
  const { name = 'speaking' } = options;
  return { name, act: (context) => follow(script, context, (text) => turnFromResponse(context, text)) };
}

async function follow<T, O, A, I extends Info, R>(
  script: Script<T, O, A, I>,
  context: AgentContext<O, A, I>,
  play: (entry: T) => R,
) {
  if (typeof script === 'function') return play(await script(context));
  if (context.stepIndex < script.length) return play(script[context.stepIndex] as T);
  const message = `The script has ${script.length} entries; the episode needs more.`;
  return { text: '', error: { boundary: 'agent' as const, code: 'SCRIPT_OVER', message } };
}
