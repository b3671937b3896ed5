/** BALROG's BabyAI-Text: its instruction, history and reading of answers. `test/golden/balrog-babyai.json.gz` pins the words. */
import { type BalrogAgent, type BalrogTurn, balrogAction, balrogMessages } from '@vlgym/core/dialogue';
import { FORWARD } from '../world/constants.js';
import type { GridDialogue } from './dialogue.js';
import { sightOf } from './sight.js';

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

export function balrogDialogue(agent: BalrogAgent, actionCount: number, viewSize: number): GridDialogue {
  const actions: readonly string[] = BALROG_ACTIONS.slice(0, actionCount);
  const indexOf = (response: string) => actions.indexOf(balrogAction(agent, response));
  /** The notice that BALROG writes before the observation after an invalid answer. */
  const notice = `\n\nYour previous output did not contain a valid action. Defaulted to action: ${actions[FORWARD]}\n\nObservation:\n`;
  return {
    version: `minigrid/balrog-${agent}-v1`,
    prompt({ observation, info, history }) {
      const seen = [...history.map((turn) => turn.observation), observation].map((each) => sightOf(each, viewSize));
      const turns = seen.map(({ text = '', image }, at): BalrogTurn => {
        const before = at > 0 ? history[at - 1]!.text : undefined;
        const isInvalid = before !== undefined && indexOf(before) < 0;
        const response = history[at]?.text;
        return {
          observation: { text: `${isInvalid ? notice : ''}${text}`, ...(image && { image }) },
          ...(response !== undefined && { response }),
        };
      });
      return balrogMessages(balrogInstruction(info.mission), turns, { agent });
    },
    parse(text) {
      const read = indexOf(text);
      const start = agent === 'cot' ? Math.max(text.lastIndexOf('ACTION:'), 0) : 0;
      return {
        thought: text.slice(0, start).trim(),
        action: read < 0 ? FORWARD : read,
        actionText: balrogAction(agent, text),
        legal: true,
        formatValid: read >= 0,
        spans: { ...(start > 0 && { thought: [0, start] as const }), action: [start, text.length] },
      };
    },
    choices: () => actions.map((_, action) => action),
    demonstrate: (_, action) => {
      // the expert says `done` where turning is as good, and BALROG has no word for it
      const name = actions[action] ?? actions[FORWARD]!;
      return agent === 'cot' ? `This brings me nearer.\nACTION: ${name}` : name;
    },
  };
}
