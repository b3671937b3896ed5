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
import type { CrafterInfo } from '../env/info.js';
import type { CrafterObservation } from '../env/observations.js';
import { ACHIEVEMENTS, ACTIONS } from '../world/rules.js';
import { crafterInBalrog } from './balrog-dialogue.js';
import { sightOf } from './sight.js';
import type { DialogueStyle } from './styles.js';
import type { CrafterDialogue } from './types.js';

type Context = PromptContext<CrafterObservation, number, CrafterInfo>;

/** Each action in a few words. */
const MEANINGS = [
  'wait',
  'turn left, and walk there if the cell is free',
  'the same to the right',
  'the same up',
  'the same down',
  'collect, drink, eat or hit what is in front of you',
  'sleep until energy is full; zombies come',
  'needs 1 stone',
  'needs 2 wood',
  'needs 4 stone',
  'needs a sapling, on grass',
  'needs a table nearby and 1 wood',
  'needs a table nearby, 1 wood and 1 stone',
  'needs a table and a furnace nearby, 1 wood, 1 coal and 1 iron',
  'needs a table nearby and 1 wood',
  'needs a table nearby, 1 wood and 1 stone',
  'needs a table and a furnace nearby, 1 wood, 1 coal and 1 iron',
];

export function crafterDialogue(style: DialogueStyle): CrafterDialogue {
  if (style === 'balrog-naive-v1') return crafterInBalrog('naive');
  if (style === 'balrog-cot-v1') return crafterInBalrog('cot');
  const isCompact = style === 'compact-v1';
  const keys = isCompact ? ['facing'] : ['thoughts'];
  return {
    version: `crafter/${style}`,
    prompt: (context) => userTurn(context, isCompact ? askShortly() : ask(context)),
    parse: (text) => parseResponse(text, { actions: ACTIONS, requiredKeys: keys }),
    choices: () => ACTIONS.map((_, action) => action),
    check,
    demonstrate({ info }, action) {
      if (ACTIONS[action] === undefined) throw new InvalidActionError(action, `0 to ${ACTIONS.length - 1}`);
      const thought = isCompact
        ? `"facing": ${JSON.stringify(info.facing)}`
        : `"thoughts": ${JSON.stringify(`In front of me is ${info.facing}. So I ${ACTIONS[action].replaceAll('_', ' ')}.`)}`;
      return `{${thought}, "action": ${JSON.stringify(ACTIONS[action])}}`;
    },
  };
}

function ask({ info }: Context): string {
  const missing = ACHIEVEMENTS.filter((name) => info.achievements[name] === 0);
  return [
    'You live in a world of blocks, seen from above: grass, trees, water, sand, stone, tunnels, ore, lava. You stand in the middle of the view.',
    'Eat, drink and sleep, beware of zombies, skeletons and lava, and unlock achievements.',
    `Still to unlock: ${missing.join(', ') || 'none'}. Step ${info.steps} of ${info.maxSteps}.`,
    'Actions:',
    ...ACTIONS.map((action, at) => `${action}: ${MEANINGS[at]}`),
    'Answer with one valid JSON object in this form and nothing else:',
    '{"thoughts": "{what is in front of you, what to unlock next, what to do}", "action": "{one of the actions}"}',
  ].join('\n');
}

function askShortly(): string {
  return `Unlock achievements. ${ACTIONS.join(', ')}? JSON keys: facing, action.`;
}

function userTurn({ observation }: Context, text: string): ChatMessage[] {
  const { view, items, image } = sightOf(observation);
  const words = view === undefined ? '' : `${view}\n\n${items}\n\n`;
  const parts: ChatPart[] = [
    ...(image ? [{ type: 'image', image } as const] : []),
    { type: 'text', text: `${image ? '\n' : ''}${words}${text}` },
  ];
  return [{ role: 'user', content: parts }];
}

/** Whether a response is right about what is in front of the player. */
function check(said: string, { facing }: CrafterInfo): boolean | undefined {
  const entries = thoughtEntries(said);
  const claimed = entries.facing ?? claimAfter('in front of me is ', String(entries.thoughts ?? ''));
  return claimed === undefined ? undefined : claimed === facing;
}
