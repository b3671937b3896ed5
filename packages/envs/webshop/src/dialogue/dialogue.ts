/**
 * Prompts of the shop (page and available actions as text), and the parsing of answers.
 *
 * Three styles of one message: `json-v1` asks for one JSON object, `tags-v1` for `<think>` and `<action>` tags (like verl-agent),
 * `tools-v1` for a call of one of two tools (like AgentBench). `chat-v1` is a conversation (`chat-dialogue.ts`). The wording is our own; any change requires a new version.
 */

import { type ChatMessage, type Dialogue, type ParsedResponse, type PromptContext, parseResponse } from '@vlgym/core';
import { type DialogueStyle, executable, FORMATS } from '@vlgym/site/text';
import type { WebShopInfo } from '../env/info.js';
import { pythonLower } from '../python/lower-case.js';
import { click, parseAction, searchFor } from '../shop/action.js';
import { chatDialogue } from './chat-dialogue.js';
import { choices, failure, hint } from './choices.js';
import { checkThought } from './thought-check.js';
import { CLICK_TOOL, SEARCH_TOOL, SHOP_TOOLS } from './tools.js';

export type WebShopDialogue = Dialogue<string, string, WebShopInfo>;
type Context = PromptContext<string, string, WebShopInfo>;

/** Past turns in a prompt. */
const SHOWN_TURNS = 2;
/** Maximum length of the page in a prompt, characters; the list of actions is complete. */
const MAX_PAGE_LENGTH = 8000;

const ASK: Readonly<Record<DialogueStyle, string>> = {
  'json-v1':
    'Answer with one JSON object and nothing else: {"thoughts": "{what you see and plan}", "action": "{one action}"}',
  'tags-v1': 'Think first, inside <think> and </think>. Then give one action inside <action> and </action>.',
  'tools-v1': `Call one tool: ${SEARCH_TOOL.name} with the words to search for, or ${CLICK_TOOL.name} with the thing to click. Say what you think in its argument "thoughts".`,
};

export function webShopDialogue(style: DialogueStyle | 'chat-v1'): WebShopDialogue {
  if (style === 'chat-v1') return chatDialogue;
  return {
    version: `webshop/${style}`,
    prompt: (context) => prompt(context, style),
    parse: (text, context) => parse(text, style, context),
    choices: ({ info }) => choices(info),
    check: checkThought,
    demonstrate: ({ info }, action) => demonstrate(action, info, style),
    ...(style === 'tools-v1' && { tools: SHOP_TOOLS }),
  };
}

function prompt({ observation, info, history }: Context, style: DialogueStyle): ChatMessage[] {
  const past = history.slice(-SHOWN_TURNS).map(({ action, observation: page }, index, shown) => {
    const number = history.length - shown.length + index + 1;
    return `Step ${number}: the page was "${shortened(page, 600)}" and you did ${action ?? 'nothing'}.`;
  });
  const { hasSearchBar, clickables } = info.availableActions;
  const actions = [
    ...(hasSearchBar ? ["'search[{words}]'"] : []),
    ...clickables.filter((name) => name !== 'search').map((name) => `'${click(name)}'`),
  ];
  const text = [
    'You are shopping on a web site. Find the product that fits the instruction, choose its options, then buy it.',
    `Instruction: ${info.instruction}`,
    ...(past.length > 0 ? [`You have done ${history.length} steps. The last ones:`, ...past] : []),
    `The page now: ${shortened(observation, MAX_PAGE_LENGTH)}`,
    `What you can do now, one per line:\n${actions.join('\n')}`,
    ...(info.reason ? [`Your last action did nothing: ${info.reason}.`] : []),
    ASK[style],
  ].join('\n\n');
  return [{ role: 'user', content: text }];
}

const shortened = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)} …` : text);

function parse(text: string, style: DialogueStyle, context: Context | undefined): ParsedResponse<string> {
  const listed = context ? choices(context.info) : [];
  const { action: index, ...rest } = readAnswer(text, style, listed);
  const written = wholeAction(rest.actionText, style, text);
  const action = written ?? (index === undefined ? undefined : listed[index]);
  if (action === undefined) return { ...rest, legal: false };
  const reason = context && failure(action, context.info);
  const { reason: _, repairHint: __, ...clean } = rest;
  return {
    ...clean,
    action,
    legal: reason === undefined,
    ...(reason && { reason, repairHint: hint(action, context!.info) }),
  };
}

function readAnswer(text: string, style: DialogueStyle, actions: readonly string[]): ParsedResponse<number> {
  const format = FORMATS[style];
  if (style !== 'tools-v1') {
    return parseResponse(text, { format, actions, requiredKeys: [style === 'json-v1' ? 'thoughts' : 'think'] });
  }
  // Two tools with different arguments.
  const key = [SEARCH_TOOL, CLICK_TOOL].find(({ argument }) => new RegExp(`"${argument}\\\\?"\\s*:`).test(text));
  return parseResponse(text, { format, actions, actionKey: key?.argument ?? CLICK_TOOL.argument });
}

/** A complete action, e.g. `search[red shoes]`. */
function wholeAction(written: string, style: DialogueStyle, text: string): string | undefined {
  if (style === 'tools-v1') {
    const search = new RegExp(`"${SEARCH_TOOL.argument}\\\\?"\\s*:`).test(text);
    if (written.trim() === '' || written === SEARCH_TOOL.name || written === CLICK_TOOL.name) return undefined;
    const words = executable(written.replace(/\n/g, ' '));
    return search ? searchFor(words) : click(pythonLower(words));
  }
  const { name, argument } = parseAction(written.trim());
  if (argument === undefined || (name !== 'search' && name !== 'click')) return undefined;
  return name === 'search' ? searchFor(executable(argument)) : click(executable(argument));
}

function demonstrate(action: string, info: WebShopInfo, style: DialogueStyle): string {
  const { name, argument = '' } = parseAction(action);
  const thoughts = thoughtsOf(name, argument, info);
  if (style === 'json-v1') return JSON.stringify({ thoughts, action });
  if (style === 'tags-v1') return `<think>${thoughts}</think><action>${action}</action>`;
  const tool = name === 'search' ? SEARCH_TOOL : CLICK_TOOL;
  return JSON.stringify({ name: tool.name, arguments: { thoughts, [tool.argument]: argument } });
}

function thoughtsOf(name: string, argument: string, { page }: WebShopInfo): string {
  if (name === 'search') return 'I search for what the instruction asks.';
  if (argument === 'buy now' || argument === 'place order')
    return 'The product fits and its options are chosen, so I buy it.';
  if (argument === 'next >') return 'What I want is not on this page of results.';
  if (argument === '< prev' || argument === 'back to search') return 'This is not what I want, so I go back.';
  return page === 'results' ? `The product ${argument} looks right, so I open it.` : `I choose ${argument}.`;
}
