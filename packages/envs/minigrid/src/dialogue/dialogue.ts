/** Prompts, the reading of responses, and an expert's responses as labels. */
import {
  type ChatMessage,
  type ChatPart,
  InvalidActionError,
  type PromptContext,
  parseResponse,
  thoughtEntries,
} from '@vlgym/core';
import { claimAfter } from '@vlgym/core/internal';
import type { MiniGridInfo } from '../env/info.js';
import type { MiniGridObservation } from '../env/observations.js';
import { ACTIONS } from '../world/constants.js';
import { gridInBalrog } from './balrog-dialogue.js';
import { sightOf } from './sight.js';
import type { DialogueStyle } from './styles.js';
import type { GridDialogue } from './types.js';

type Context = PromptContext<MiniGridObservation, number, MiniGridInfo>;

/** Each action in a few words. */
const MEANINGS = [
  'turn left',
  'turn right',
  'one step forward',
  'pick up what is ahead',
  'drop what you carry ahead',
  'open or close what is ahead; a locked door needs the key of its color',
  'say that you are done',
];

/**
 * @param actionCount  Size of the action space; the prompt offers exactly these actions.
 * @param viewSize     Cells of a side of the view.
 */
export function gridDialogue(style: DialogueStyle, actionCount: number, viewSize: number): GridDialogue {
  const actions = ACTIONS.slice(0, actionCount);
  if (style === 'balrog-naive-v1') return gridInBalrog('naive', actionCount, viewSize);
  if (style === 'balrog-cot-v1') return gridInBalrog('cot', actionCount, viewSize);
  const isCompact = style === 'compact-v1';
  const keys = isCompact ? ['ahead'] : ['thoughts'];
  return {
    version: `minigrid/${style}`,
    prompt: (context) => userTurn(context, isCompact ? askShortly(context, actions) : ask(context, actions), viewSize),
    parse: (text) => parseResponse(text, { actions, requiredKeys: keys }),
    choices: () => actions.map((_, action) => action),
    check,
    demonstrate({ info }, action) {
      if (actions[action] === undefined) throw new InvalidActionError(action, `0 to ${actions.length - 1}`);
      const thought = isCompact
        ? `"ahead": ${JSON.stringify(info.ahead)}`
        : `"thoughts": ${JSON.stringify(`Ahead of me is ${info.ahead}, and I carry ${info.carrying}. ${REASONS[action]}`)}`;
      return `{${thought}, "action": ${JSON.stringify(actions[action])}}`;
    },
  };
}

const REASONS = [
  'The way goes on to the left, so I turn left.',
  'The way goes on to the right, so I turn right.',
  'The way is straight ahead, so I go forward.',
  'I need it or it is in the way, so I pick it up.',
  'This is the place for what I carry, so I drop it.',
  'It has to be opened, so I toggle it.',
  'This is the place, so I say that I am done.',
];

function ask({ info }: Context, actions: readonly string[]): string {
  return [
    `You walk on a grid and see the cells in front of you. Your mission: ${info.mission || 'look around'}.`,
    `You carry ${info.carrying}. Step ${info.steps} of ${info.maxSteps}.`,
    'Actions:',
    ...actions.map((action, at) => `${action}: ${MEANINGS[at]}`),
    'Answer with one valid JSON object in this form and nothing else:',
    '{"thoughts": "{what is ahead of you, where the goal is, what to do}", "action": "{one of the actions}"}',
  ].join('\n');
}

function askShortly({ info }: Context, actions: readonly string[]): string {
  return `${info.mission}; carry ${info.carrying}. ${actions.join(', ')}? JSON keys: ahead, action.`;
}

function userTurn({ observation }: Context, text: string, viewSize: number): ChatMessage[] {
  const sight = sightOf(observation, viewSize);
  const words = sight.text === undefined ? '' : `You see:\n${sight.text || 'nothing'}\n`;
  const parts: ChatPart[] = [
    ...(sight.image ? [{ type: 'image', image: sight.image } as const] : []),
    { type: 'text', text: `${sight.image ? '\n' : ''}${words}${text}` },
  ];
  return [{ role: 'user', content: parts }];
}

/** Whether a response is right about what is ahead, and in a sentence about what is carried. */
function check(said: string, { ahead, carrying }: MiniGridInfo): boolean | undefined {
  const entries = thoughtEntries(said);
  const claims = [
    [entries.ahead ?? claimAfter('ahead of me is ', entries.thoughts), ahead],
    [claimAfter('i carry ', entries.thoughts), carrying],
  ].filter(([claimed]) => claimed !== undefined);
  return claims.length === 0 ? undefined : claims.every(([claimed, fact]) => claimed === fact);
}
