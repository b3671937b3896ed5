/** A call of a tool as data, and the turn that the call of an action makes. */
import type { Info, ParsedResponse, ParseFailure } from '@vlgym/core';
import { actionText, actionWords, readAction } from '../actions.js';
import type { AgentContext, AgentTurn, ToolCall } from '../agent.js';
import { turnFromResponse } from '../turn.js';
import { ACTION_TOOL } from './action-tools.js';

/**
 * The call of an action tool (`actionTools`) as a turn: the environment's dialogue reads it, so that spans, legality and
 * repair hints are those of a written response. `text` is the call as JSON.
 *
 * @param said  The model's text in addition to the call: its thought, if the arguments contain none.
 */
export function turnFromToolCall<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  rest: Partial<AgentTurn<A>> = {},
  said = '',
): AgentTurn<A> {
  const { thoughts: given, ...others } = (typeof input === 'object' && input !== null ? input : {}) as Arguments;
  const thoughts = typeof given === 'string' ? given : said.trim();
  const { dialogue } = context.env;
  if (dialogue?.tools?.some((tool) => tool.name === name)) {
    const args = { ...(thoughts === '' ? {} : { thoughts }), ...others };
    return turnFromResponse(context, JSON.stringify({ name, arguments: args }), rest);
  }
  return turnFromSpaceTool(context, others.action, thoughts, rest);
}

type Arguments = Readonly<Record<string, unknown>>;

/** The tool of an action space, written like the answer that most dialogues ask for. */
function turnFromSpaceTool<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  value: unknown,
  thoughts: string,
  rest: Partial<AgentTurn<A>>,
): AgentTurn<A> {
  const { dialogue, actionSpace } = context.env;
  const read = actionIn(context, value);
  const word = read === undefined ? String(value ?? '') : actionText(actionSpace, read);
  const text = JSON.stringify({ thoughts, action: word });
  const inDialogue = dialogue?.parse(text, context);
  const { action, legal } = inDialogue?.action === undefined ? judged(context, read, inDialogue) : inDialogue;
  const start = text.lastIndexOf('"action":');
  const parsed: ParsedResponse<A> = {
    thought: thoughts,
    ...(action === undefined ? {} : { action }),
    actionText: word,
    legal,
    formatValid: true,
    spans: { thought: [0, start], action: [start, text.length] },
    ...(!legal && {
      reason: action === undefined ? 'unknown-action' : 'unavailable-action',
      repairHint: repairHint(context, word, action !== undefined),
    }),
  };
  return { ...rest, text, parsed, ...(action === undefined ? {} : { action }) };
}

/**
 * An action that the dialogue does not read from JSON, judged as it would judge a written response: in its own form, by
 * its list, by its verdict. Where it has none of these, the action space and its mask decide.
 */
function judged<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  read: A | undefined,
  inDialogue: ParsedResponse<A> | undefined,
): { readonly action?: A; readonly legal: boolean } {
  if (read === undefined) return { legal: false };
  const { dialogue, actionSpace } = context.env;
  const own = inOwnForm(context, read);
  if (own?.action !== undefined) return { action: read, legal: own.legal };
  const choices = dialogue?.choices?.(context) ?? [];
  const encoded = (action: A) => JSON.stringify(actionSpace.encode(action));
  if (choices.length > 0) return { action: read, legal: choices.some((choice) => encoded(choice) === encoded(read)) };
  const words = actionWords(actionSpace);
  if (words === undefined && VERDICTS.includes(inDialogue?.reason)) return { legal: false };
  return { action: read, legal: isAllowed(context, actionText(actionSpace, read)) };
}

/** The dialogue found the action entry and refused its value. */
const VERDICTS: readonly (ParseFailure | undefined)[] = [
  'no-action',
  'ambiguous-action',
  'unknown-action',
  'unavailable-action',
];

/** The response that the dialogue would demonstrate this action with, as it reads it; nothing if it demonstrates none. */
function inOwnForm<O, A, I extends Info>(context: AgentContext<O, A, I>, action: A): ParsedResponse<A> | undefined {
  const { dialogue } = context.env;
  try {
    const text = dialogue?.demonstrate?.(context, action);
    return text === undefined ? undefined : dialogue?.parse(text, context);
  } catch {
    return undefined; // an expert does not take every action
  }
}

/** True unless the space is discrete and the environment's mask forbids the action now. */
function isAllowed<O, A, I extends Info>({ env }: AgentContext<O, A, I>, word: string): boolean {
  const index = actionWords(env.actionSpace)?.indexOf(word) ?? -1;
  const mask = index < 0 ? undefined : env.actionMask?.();
  return mask === undefined || mask[index] !== 0;
}

function repairHint<O, A, I extends Info>(context: AgentContext<O, A, I>, word: string, isKnown: boolean): string {
  const words = (actionWords(context.env.actionSpace) ?? []).filter((each) => isAllowed(context, each));
  const list = words.length > 0 && words.length <= MAX_LISTED ? ` with one of: ${words.join(', ')}` : '';
  const why = isKnown ? 'is not available now' : 'is not one of the actions';
  return `${JSON.stringify(word.slice(0, 60))} ${why}. Call ${ACTION_TOOL}${list}.`;
}

const MAX_LISTED = 60;

function actionIn<O, A, I extends Info>({ env }: AgentContext<O, A, I>, value: unknown): A | undefined {
  const { actionSpace } = env;
  try {
    if (typeof value === 'string' || typeof value === 'number') return readAction(actionSpace, String(value));
    const action = actionSpace.decode(value);
    return actionSpace.contains(action) ? action : undefined;
  } catch {
    return undefined;
  }
}
