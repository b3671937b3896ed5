/** Baba Is AI in the words of BALROG: its instruction, history and reading of answers. */
import type { Dialogue } from '@vlgym/core';
import { balrogDialogue } from '@vlgym/core/dialogue';
import { BABA_ACTIONS } from './game.js';
import type { BabaInfo, BabaObservation } from './info.js';

export const BABA_STYLES = ['balrog-naive-v1', 'balrog-cot-v1'] as const;
export type BabaStyle = (typeof BABA_STYLES)[number];

const MEANINGS = [
  'wait for one step',
  'take one step up',
  'take one step to the right',
  'take one step down',
  'take one step to the left',
];

/** The instruction, word for word; functional text of balrog-ai/BALROG (MIT). `golden.test.ts` pins it. */
export const BABA_INSTRUCTION = `Baba Is You is a puzzle game where you can manipulate the rules of each level. The following are the possible actions you can take in the game, followed by a short description of each action:

${BABA_ACTIONS.map((action, at) => `${action}: ${MEANINGS[at]}`).join(',\n')}.

Tips:
- Examine the level carefully, noting all objects and text blocks present.
- Identify the current rules, which are formed by text blocks in the format "[Subject] IS [Property]" (e.g. "BABA IS YOU").
- Consider how you can change or create new rules by moving text blocks around.
- Remember that you can only move objects or text that are not defined as "STOP" or similar immovable properties.
- Your goal is usually to reach an object defined as "WIN", but this can be changed.
- Think creatively about how changing rules can alter the properties and behaviors of objects in unexpected ways.
- If stuck, try breaking apart existing rules or forming completely new ones.
- Sometimes the solution involves making yourself a different object or changing what counts as the win condition.

PLAY!`;

export const babaDialogue = (style: BabaStyle): Dialogue<BabaObservation, number, BabaInfo> =>
  balrogDialogue({
    version: `baba/${style}`,
    agent: style === 'balrog-cot-v1' ? 'cot' : 'naive',
    actions: BABA_ACTIONS,
    fallback: 0,
    instruction: () => BABA_INSTRUCTION,
    see(observation) {
      if (typeof observation === 'string') return { text: observation };
      return 'text' in observation ? observation : { text: '', image: observation };
    },
    reason: 'This brings me nearer to what wins.',
  });
