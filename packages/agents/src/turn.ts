/** The two halves of a turn in text: the prompt, and the turn that the response makes. */
import { type ChatMessage, type Info, readResponse } from '@vlgym/core';
import type { AgentContext, AgentTurn } from './agent.js';
import { NoDialogueError } from './errors.js';

/**
 * The prompt of this turn: the caller's, otherwise the environment's.
 *
 * @throws {NoDialogueError}  Neither the caller nor the environment has one.
 */
export function promptMessages<O, A, I extends Info>(context: AgentContext<O, A, I>): readonly ChatMessage[] {
  return context.messages ?? dialogueOf(context).prompt(context);
}

/** A response as a turn: read by the environment's dialogue, its thought checked. */
export function turnFromResponse<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  text: string,
  rest: Partial<AgentTurn<A>> = {},
): AgentTurn<A> {
  const parsed = readResponse(dialogueOf(context), text, context);
  return { ...rest, text, parsed, ...(parsed.action === undefined ? {} : { action: parsed.action }) };
}

/**
 * An action as a turn without text: an agent that said nothing has no response and no thoughts, and no rates of legal or
 * well-formed responses either.
 */
export function turnFromAction<O, A, I extends Info>(_context: AgentContext<O, A, I>, action: A): AgentTurn<A> {
  return { action, text: '' };
}

/** The expert's action with the response and the thoughts that the environment's dialogue writes for it. */
export function demonstration<O, A, I extends Info>(context: AgentContext<O, A, I>, action: A): AgentTurn<A> {
  const { dialogue } = context.env;
  const text = dialogue?.demonstrate?.(context, action);
  return dialogue && text !== undefined
    ? { action, text, parsed: readResponse(dialogue, text, context) }
    : { action, text: '' };
}

function dialogueOf<O, A, I extends Info>({ env }: AgentContext<O, A, I>) {
  if (!env.dialogue) throw new NoDialogueError(env.spec?.id);
  return env.dialogue;
}
