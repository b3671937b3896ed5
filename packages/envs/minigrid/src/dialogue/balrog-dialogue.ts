/** BALROG's BabyAI-Text: its instruction, history and reading of answers. `test/golden/balrog-babyai.json.gz` pins the words. */
import { balrogDialogue } from '@vlgym/core/dialogue';
import { FORWARD } from '../world/constants.js';
import { sightOf } from './sight.js';
import type { GridDialogue } from './types.js';

/** The actions 0 to 5 in BALROG's words; it does not offer `done`. */
export const BALROG_ACTIONS = ['turn left', 'turn right', 'go forward', 'pick up', 'drop', 'toggle'] as const;

const MEANINGS = [
  'turn to the left',
  'turn to the right',
  'take one step forward',
  'pick up the object below you',
  'drop the object that you are holding',
  'manipulate the object in front of you',
];

const TIPS = `Tips:
- Once the desired object you want to interact or pickup in front of you, you can use the 'toggle' action to interact with it.
- It doesn't make sense to repeat the same action over and over if the observation doesn't change.

PLAY!`;

/** The instruction, word for word; functional text of balrog-ai/BALROG (MIT). */
export function balrogInstruction(mission: string): string {
  const actions = BALROG_ACTIONS.map((action, at) => `${action}: ${MEANINGS[at]}`).join(',\n');
  return `You are an agent playing a simple navigation game. Your goal is to ${mission}. The following are the possible actions you can take in the game, followed by a short description of each action:\n\n${actions}.\n\nIn a moment I will present you an observation.\n\n${TIPS}`;
}

export const gridInBalrog = (agent: 'naive' | 'cot', actionCount: number, viewSize: number): GridDialogue =>
  balrogDialogue({
    ...{ version: `minigrid/balrog-${agent}-v1`, agent },
    actions: BALROG_ACTIONS.slice(0, actionCount),
    // the expert says `done` where turning is as good, and BALROG has no word for it
    fallback: FORWARD,
    instruction: ({ mission }) => balrogInstruction(mission),
    see(observation) {
      const { text = '', image } = sightOf(observation, viewSize);
      return { text, ...(image && { image }) };
    },
    reason: 'This brings me nearer.',
  });
