import { messageText, promptImages } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';
import { DIALOGUE_STYLES, type DialogueStyle } from './styles.js';

const SMALL = { obsWidth: 16, obsHeight: 12 };

function context(style: DialogueStyle, turns = 0) {
  const env = createMiniWorld('Hallway', { ...SMALL, dialogue: style });
  const { observation, info } = env.reset({ seed: 0 });
  const history = Array.from({ length: turns }, () => ({ observation, text: '', action: 2, reward: 0 }));
  return { env, dialogue: env.dialogue, context: { observation, info, history } };
}

describe('the dialogue', () => {
  it.each(DIALOGUE_STYLES)('%s says its version and reads what its expert says', (style) => {
    const { env, dialogue, context: now } = context(style);
    expect(dialogue.version).toBe(`miniworld-hallway/${style}`);
    for (let action = 0; action < env.actionSpace.n; action += 1) {
      const parsed = dialogue.parse(dialogue.demonstrate!(now, action), now);
      expect(parsed).toMatchObject({ action, legal: true, formatValid: true });
    }
  });

  it('shows one picture, and up to four in the styles of VL-DAC', () => {
    const pictures = (style: DialogueStyle, turns: number) => {
      const { dialogue, context: now } = context(style, turns);
      return promptImages(dialogue.prompt(now)).length;
    };
    expect([
      pictures('plain-v1', 6),
      pictures('vl-dac-v3', 0),
      pictures('vl-dac-v3', 2),
      pictures('vl-dac-v3', 9),
    ]).toEqual([1, 1, 3, 4]);
  });

  it('offers four actions in the styles of VL-DAC, and the space has them', () => {
    const { env, dialogue, context: now } = context('vl-dac-v3');
    expect(env.actionSpace.n).toBe(4);
    expect(messageText(dialogue.prompt(now)[0]!)).toContain('3 : move back');
    expect(context('plain-v1').env.actionSpace.n).toBe(3);
    expect(env.step(3).reward).toBe(0);
  });

  it('counts actions taken, and is shorter in version 3', () => {
    const words = (style: DialogueStyle) => {
      const { dialogue, context: now } = context(style, 5);
      return messageText(dialogue.prompt(now)[0]!);
    };
    expect(words('vl-dac-v2')).toMatch(/5 actions were taken/);
    expect(words('vl-dac-v2')).toMatch(/TASK: go to the red box at the end of the hallway\./);
    expect(words('vl-dac-v3')).toMatch(/TASK: go to the red box\./);
    expect(words('vl-dac-v1')).toContain('"keys description"');
  });

  it.each([
    ['', 'empty'],
    ['I would go left', 'no-action-marker'],
    ['{"thoughts": "?", "action": "fly"}', 'unknown-action'],
  ])('turns %j into a reason, not an error', (text, reason) => {
    expect(context('plain-v1').dialogue.parse(text)).toMatchObject({ legal: false, reason });
  });

  it('reads numbers as well as names', () => {
    expect(context('plain-v1').dialogue.parse('{"thoughts": "", "action": 2}').action).toBe(2);
    expect(context('vl-dac-v3').dialogue.parse('{"thoughts": "", "action": "move forward"}').action).toBe(2);
  });

  it('tells in words what a text observation holds', () => {
    const env = createMiniWorld('PutNext', { observation: 'text' });
    const { observation, info } = env.reset({ seed: 0 });
    expect(observation).toMatch(/^You see/);
    const messages = env.dialogue.prompt({ observation, info, history: [] });
    expect(promptImages(messages)).toEqual([]);
    expect(messageText(messages[0]!)).toContain(String(observation));
  });
});
