/**
 * Prompts of a household (task, scene, admissible commands), and the parsing of answers.
 *
 * `rl4vlm-v1` follows RL4VLM/RL4VLM (`VLM_PPO_ALF`): the scene as text, the admissible commands, and one JSON object with
 * thoughts and action. `gtr-v1` (weit123/GTR, `GTR_alf`) lists past actions and leaves the scene to the picture, if there
 * is one. `verl-agent-v1` (langfengQ/verl-agent, `agent_system/environments`) repeats the last turns and asks for tags.
 * `chat-v1` is a conversation with a turn per step (`conversation.ts`). The wording is our own; any change to it requires a new version.
 */

import type { ChatMessage, ChatPart, Dialogue, PromptContext } from '@vlgym/core';
import { conversation } from './conversation.js';
import type { HouseholdInfo } from './info.js';
import type { HouseholdObservation } from './observation.js';
import { type Matching, readCommand } from './read-command.js';
import { checkThought } from './thought-check.js';

export { MATCHINGS, MAX_ACTION, type Matching } from './read-command.js';

export const DIALOGUE_STYLES = ['rl4vlm-v1', 'gtr-v1', 'verl-agent-v1', 'chat-v1'] as const;
export type DialogueStyle = (typeof DIALOGUE_STYLES)[number];

/** Number of turns that `verl-agent-v1` repeats. */
const HISTORY_LENGTH = 2;

export interface DialogueOptions {
  readonly style?: DialogueStyle | undefined;
  readonly actionOnly?: boolean | undefined;
  readonly matching?: Matching | undefined;
}

type Context = PromptContext<HouseholdObservation, string, HouseholdInfo>;

export function householdDialogue({
  style = 'rl4vlm-v1',
  actionOnly = false,
  matching = 'whole',
}: DialogueOptions): Dialogue<HouseholdObservation, string, HouseholdInfo> {
  const tags = style === 'verl-agent-v1';
  const thoughtKey = tags ? 'think' : 'thoughts';
  const requiredKeys = actionOnly ? [] : [thoughtKey];
  return {
    version: `alfworld/${style}${actionOnly ? '-action-only' : ''}`,
    prompt: (context) =>
      style === 'chat-v1'
        ? conversation(context, { ...CHAT, request: jsonRequest(actionOnly, 'a command') })
        : [message(context.observation, WORDS[style](context, actionOnly))],
    choices: ({ info }) => info.admissibleCommands,
    parse(text, context) {
      const commands = context?.info.admissibleCommands ?? [];
      return readCommand(text, { commands, matching, format: tags ? 'tags' : 'json', requiredKeys });
    },
    ...(!actionOnly && { check: checkThought }),
    demonstrate(context, action) {
      const thought = `My task is to ${context.info.task.replace(/\.$/, '')}. ${reason(action)}`;
      if (tags) return `${actionOnly ? '' : `<think>${thought}</think>`}<action>${action}</action>`;
      return JSON.stringify({ ...(actionOnly ? {} : { thoughts: thought }), action });
    },
  };
}

const WORDS: Readonly<Record<Exclude<DialogueStyle, 'chat-v1'>, (context: Context, actionOnly: boolean) => string>> = {
  'rl4vlm-v1': ({ observation, info }, actionOnly) =>
    [
      'You act in a household, one command at a time.',
      `What you see now: ${textOf(observation) ?? 'the picture.'}`,
      `Your task is to: ${info.task}`,
      `Commands that can be executed now: ${listed(info.admissibleCommands)}.`,
      jsonRequest(actionOnly),
    ].join('\n'),
  'gtr-v1': ({ observation, info, history }, actionOnly) =>
    [
      'You act in a household, one command at a time.',
      ...(isPictured(observation) ? [] : [`What you see now: ${textOf(observation)}`]),
      `Your task is to: ${info.task}`,
      `Commands so far: ${commandsOf(history)}.`,
      `Commands that can be executed now: ${listed(info.admissibleCommands)}.`,
      jsonRequest(actionOnly),
    ].join('\n'),
  'verl-agent-v1': ({ observation, info, history }, actionOnly) =>
    [
      'You are at work in a household.',
      `Your task is to: ${info.task}`,
      ...(history.length === 0 ? [] : [`Steps taken so far: ${history.length}. The last of them:`]),
      ...history
        .slice(-HISTORY_LENGTH)
        .map((turn) => `[saw: ${textOf(turn.observation) ?? 'a picture'} | did: ${turn.action ?? 'nothing'}]`),
      `You now see: ${textOf(observation) ?? 'the picture.'}`,
      `Admissible commands: ${listed(info.admissibleCommands.filter((command) => command !== 'help'))}.`,
      actionOnly
        ? 'Choose one admissible command and write it between <action> and </action>.'
        : 'Think first, between <think> and </think>; then write one admissible command between <action> and </action>.',
    ].join('\n'),
};

/** Turns in which no command could be read have none. */
function commandsOf(history: Context['history']): string {
  const given = history.flatMap(({ action }) => action ?? []);
  return given.length === 0 ? 'none' : listed(given);
}

function jsonRequest(actionOnly: boolean, action = 'one of the commands above, word for word'): string {
  const thoughts = '"thoughts": "{what you see, what is still to be done, which command brings you nearer}", ';
  return `Answer with one valid JSON object in this form and nothing else:\n{${actionOnly ? '' : thoughts}"action": "{${action}}"}`;
}

function listed(commands: readonly string[]): string {
  return `[${commands.map((command) => `'${command}'`).join(', ')}]`;
}

function message(observation: HouseholdObservation, text: string): ChatMessage {
  const words: ChatPart = { type: 'text', text };
  if (!isPictured(observation)) return { role: 'user', content: [words] };
  const image = 'image' in observation ? observation.image : observation;
  return { role: 'user', content: [{ type: 'image', image }, words] };
}

function isPictured(observation: HouseholdObservation): observation is Exclude<HouseholdObservation, string> {
  return typeof observation !== 'string';
}

function textOf(observation: HouseholdObservation): string | undefined {
  if (typeof observation === 'string') return observation;
  return 'text' in observation ? observation.text : undefined;
}

const CHAT = { message, textOf, answer: (action: string) => JSON.stringify({ action }) };

/** Start of a command, the words between its two objects, and a sentence about them. */
type Purpose = readonly [start: string, between: string, sentence: (first: string, second: string) => string];

const PURPOSES: readonly Purpose[] = [
  ['go to ', '', (place) => `I have to be at ${place} next`],
  ['open ', '', (thing) => `${thing} is closed, so I open it`],
  ['close ', '', (thing) => `I am done with ${thing}, so I close it`],
  ['take ', ' from ', (thing) => `I need ${thing}, and it is here`],
  ['move ', ' to ', (_, place) => `I am at ${place} and put down what I hold`],
  ['put ', ' in/on ', (_, place) => `I am at ${place} and put down what I hold`],
  ['heat ', ' with ', (thing) => `I hold ${thing} and can heat it here`],
  ['cool ', ' with ', (thing) => `I hold ${thing} and can cool it here`],
  ['clean ', ' with ', (thing) => `I hold ${thing} and can clean it here`],
  ['use ', '', (thing) => `${thing} is here, so I turn it on`],
];

/** The reason why an expert gives the command. */
function reason(action: string): string {
  for (const [start, between, sentence] of PURPOSES) {
    if (!action.startsWith(start)) continue;
    const named = action.slice(start.length);
    const middle = between === '' ? named.length : named.lastIndexOf(between);
    if (middle >= 0) return `${sentence(named.slice(0, middle), named.slice(middle + between.length))}.`;
  }
  return 'I look around first.';
}
