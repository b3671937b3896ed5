/** Crafter in the words of BALROG: its instruction, history and reading of answers. `dialogue.test.ts` pins the instruction. */
import { balrogDialogue } from '@vlgym/core/dialogue';
import { sightOf } from './sight.js';
import type { CrafterDialogue } from './types.js';

/** The actions in BALROG's words. */
export const BALROG_ACTIONS = [
  'Noop',
  'Move West',
  'Move East',
  'Move North',
  'Move South',
  'Do',
  'Sleep',
  'Place Stone',
  'Place Table',
  'Place Furnace',
  'Place Plant',
  'Make Wood Pickaxe',
  'Make Stone Pickaxe',
  'Make Iron Pickaxe',
  'Make Wood Sword',
  'Make Stone Sword',
  'Make Iron Sword',
] as const;

const MEANINGS = [
  'do nothing',
  'move west on flat ground',
  'move east on flat ground',
  'move north on flat ground',
  'move south on flat ground',
  'Multiuse action to collect material, drink from lake and hit creature in front',
  'sleep when energy level is below maximum',
  'place a stone in front',
  'place a table',
  'place a furnace',
  'place a plant',
  'craft a wood pickaxe with a nearby table and wood in inventory',
  'craft a stone pickaxe with a nearby table, wood, and stone in inventory',
  'craft an iron pickaxe with a nearby table and furnace, wood, coal, and iron in inventory',
  'craft a wood sword with a nearby table and wood in inventory',
  'craft a stone sword with a nearby table, wood, and stone in inventory',
  'craft an iron sword with a nearby table and furnace, wood, coal, and iron in inventory',
];

const AIMS = [
  'Collect Wood',
  'Place Table',
  'Eat Cow',
  'Collect Sapling',
  'Collect Drink',
  'Make Wood Pickaxe',
  'Make Wood Sword',
  'Place Plant',
  'Defeat Zombie',
  'Collect Stone',
  'Place Stone',
  'Eat Plant',
  'Defeat Skeleton',
  'Make Stone Pickaxe',
  'Make Stone Sword',
  'Wake Up',
  'Place Furnace',
  'Collect Coal',
  'Collect Iron',
  'Make Iron Pickaxe',
  'Make Iron Sword',
  'Collect Diamond',
];

/** The instruction, word for word; functional text of balrog-ai/BALROG (MIT). */
export const BALROG_INSTRUCTION = `You are an agent playing Crafter. The following are the only valid actions you can take in the game, followed by a short description of each action:

${BALROG_ACTIONS.map((action, at) => `${action}: ${MEANINGS[at]}`).join(',\n')}.

These are the game achievements you can get:
${AIMS.map((aim, at) => `${at + 1}. ${aim}`).join('\n')}

In a moment I will present a history of actions and observations from the game.
Your goal is to get as far as possible by completing all the achievements.

PLAY!`;

const NOOP = 0;

export const crafterInBalrog = (agent: 'naive' | 'cot'): CrafterDialogue =>
  balrogDialogue({
    ...{ version: `crafter/balrog-${agent}-v1`, agent, actions: BALROG_ACTIONS, fallback: NOOP },
    instruction: () => BALROG_INSTRUCTION,
    see(observation) {
      const { view = '', items, image } = sightOf(observation);
      return { text: view, ...(items !== undefined && { shortTerm: items }), ...(image && { image }) };
    },
    reason: 'This brings me nearer to the next achievement.',
  });
