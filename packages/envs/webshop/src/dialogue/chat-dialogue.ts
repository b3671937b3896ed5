/**
 * `chat-v1`: an episode as a conversation, a page and an action per turn. What was seen stays in the prompt, and a prompt
 * begins with the one before it, so that an episode is one sequence to learn from and a cache of keys serves all of it.
 * Actions are written as the page shows things (`click[Buy Now]`), as in ReAct (arXiv 2210.03629); the words are our own.
 */
import type { ChatMessage, Dialogue, ParsedResponse, PromptContext } from '@vlgym/core';
import { executable } from '@vlgym/site/text';
import type { WebShopInfo } from '../env/info.js';
import { click, parseAction, searchFor } from '../shop/action.js';
import { choices, failure, hint } from './choices.js';
import { checkThought } from './thought-check.js';

type Context = PromptContext<string, string, WebShopInfo>;

const RULES =
  'You are shopping on a web site. Find the product that fits the instruction, choose its options, then buy it. ' +
  'Parts of a page are separated by [SEP]. Actions: search[{words}] where the page has a search box, click[{thing}]. ' +
  'Answer with one action on the last line; you may think before it.';

export const chatDialogue: Dialogue<string, string, WebShopInfo> = {
  version: 'webshop/chat-v1',
  choices: ({ info }) => choices(info),
  prompt: ({ observation, info: { instruction }, history }) => {
    const seen = (page: string, step: number) => {
      // pages repeat the instruction
      const rest = page.replace(`Instruction: [SEP] ${instruction} [SEP] `, '');
      return { role: 'user', content: step === 0 ? `Instruction: ${instruction}\n${rest}` : rest } as const;
    };
    const turns = history.flatMap((turn, step): ChatMessage[] => [
      seen(turn.observation, step),
      { role: 'assistant', content: turn.text === '' ? (turn.action ?? '') : turn.text },
    ]);
    return [{ role: 'system', content: RULES }, ...turns, seen(observation, history.length)];
  },
  parse,
  check: checkThought,
  demonstrate: ({ observation }, action) => {
    const { name, argument = '' } = parseAction(action);
    return name === 'search' ? searchFor(argument) : click(asShown(observation, argument));
  },
};

/** A thing in the letters in which the page has it. */
function asShown(page: string, thing: string): string {
  return page.split(' [SEP] ').find((part) => part.toLowerCase() === thing) ?? thing;
}

/** The action is the last line with anything on it. */
function parse(text: string, context?: Context): ParsedResponse<string> {
  const end = text.trimEnd().length;
  const start = text.lastIndexOf('\n', end - 1) + 1;
  const written = text.slice(start, end).trim();
  const thought = text.slice(0, start).trim();
  const read = {
    thought,
    actionText: written,
    spans: { action: [start, text.length] as const, ...(thought !== '' && { thought: [0, start] as const }) },
  };
  if (written === '') return { ...read, legal: false, formatValid: false, reason: 'empty' };
  const { name, argument } = parseAction(written);
  if (argument === undefined || (name !== 'search' && name !== 'click')) {
    const repairHint = context && hint(written, context.info);
    return { ...read, legal: false, formatValid: false, reason: 'no-action', ...(repairHint && { repairHint }) };
  }
  const action = name === 'search' ? searchFor(executable(argument)) : click(executable(argument));
  const reason = context && failure(action, context.info);
  const refused = reason && { reason, repairHint: hint(action, context!.info) };
  return { ...read, action, legal: reason === undefined, formatValid: true, ...refused };
}
