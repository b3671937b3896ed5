import { messageText, promptImages, readResponse } from '@vlgym/core';
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
  it.each(DIALOGUE_STYLES)('%s states its version and parses the responses of its expert', (style) => {
    const { env, dialogue, context: now } = context(style);
    expect(dialogue.version).toBe(`miniworld-hallway/${style}`);
    for (let action = 0; action < env.actionSpace.n; action += 1) {
      const parsed = dialogue.parse(dialogue.demonstrate!(now, action), now);
      expect(parsed).toMatchObject({ action, legal: true, formatValid: true });
    }
  });

  it('shows one picture, or up to four in the styles of VL-DAC', () => {
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

  it('offers four actions in the styles of VL-DAC, which the action space contains', () => {
    const { env, dialogue, context: now } = context('vl-dac-v3');
    expect(env.actionSpace.n).toBe(4);
    expect(messageText(dialogue.prompt(now)[0]!)).toContain('3 : move back');
    expect(context('plain-v1').env.actionSpace.n).toBe(3);
    expect(env.step(3).reward).toBe(0);
  });

  it.each(['PickupObjects', 'PutNext', 'CollectHealth'] as const)(
    'offers and demonstrates all actions that %s needs, in every style',
    (name) => {
      for (const style of DIALOGUE_STYLES) {
        const env = createMiniWorld(name, { ...SMALL, dialogue: style });
        const { observation, info } = env.reset({ seed: 0 });
        const now = { observation, info, history: [] };
        expect(env.dialogue.parse(env.dialogue.demonstrate!(now, 4), now)).toMatchObject({ action: 4, legal: true });
      }
    },
  );

  it.each([2, 3, 4, 8])('offers exactly the %i actions of the space', (numActions) => {
    for (const style of DIALOGUE_STYLES) {
      const env = createMiniWorld('Hallway', { ...SMALL, dialogue: style, numActions });
      const { observation, info } = env.reset({ seed: 0 });
      const now = { observation, info, history: [] };
      expect(env.dialogue.choices!(now)).toHaveLength(numActions);
      expect(env.dialogue.parse(`{"thoughts": "", "goal": "", "action": ${numActions}}`, now).legal).toBe(false);
      expect(() => env.dialogue.demonstrate!(now, numActions)).toThrow(/not in the action space/);
    }
  });

  it('lists exactly four actions in the styles of VL-DAC for tasks with up to four actions', () => {
    const { dialogue, context: now } = context('vl-dac-v3');
    const lines = messageText(dialogue.prompt(now)[0]!).split('\n');
    const actions = ['0 : turn left', '1 : turn right', '2 : move forward', '3 : move back'];
    expect(lines.slice(lines.indexOf('Actions:') + 1, lines.indexOf('Think before you choose.'))).toEqual(actions);
  });

  it('names the action that ends the episode in Sign', () => {
    const env = createMiniWorld('Sign', SMALL);
    const { observation, info } = env.reset({ seed: 0 });
    const text = messageText(env.dialogue.prompt({ observation, info, history: [] })[0]!);
    expect(text).toContain('moving back (action 3) ends the episode');
  });

  it('describes distances in words if the observation is a depth map', () => {
    const env = createMiniWorld('Hallway', { ...SMALL, observation: 'depth' });
    const { observation, info } = env.reset({ seed: 0 });
    const text = messageText(env.dialogue.prompt({ observation, info, history: [] })[0]!);
    expect(text).toMatch(/^At the height of your eyes the nearest thing is \d+\.\d m away on the left/);
  });

  it('counts previous actions, and is shorter in version 3', () => {
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

  it('accepts numbers and names of actions', () => {
    expect(context('plain-v1').dialogue.parse('{"thoughts": "", "action": 2}').action).toBe(2);
    expect(context('vl-dac-v3').dialogue.parse('{"thoughts": "", "action": "move forward"}').action).toBe(2);
  });

  it('contains a text observation', () => {
    const env = createMiniWorld('PutNext', { observation: 'text' });
    const { observation, info } = env.reset({ seed: 0 });
    expect(observation).toMatch(/^You see/);
    const messages = env.dialogue.prompt({ observation, info, history: [] });
    expect(promptImages(messages)).toEqual([]);
    expect(messageText(messages[0]!)).toContain(String(observation));
  });
});

describe('a thought', () => {
  it('is right where it says on which side the picture shows the goal', () => {
    const env = createMiniWorld('OneRoomS6Fast', { ...SMALL, dialogue: 'compact-v1' });
    let { observation, info } = env.reset({ seed: 3 });
    const sights = new Set<unknown>();
    for (let step = 0; step < 24; step += 1) {
      const now = { observation, info, history: [] };
      sights.add(info.sight);
      for (const goal of ['ahead', 'left', 'right', 'hidden', 'none', 'le', '']) {
        const { thoughtCorrect } = readResponse(env.dialogue, `{"goal": "${goal}", "action": "turn left"}`, now);
        expect(thoughtCorrect).toBe(goal === info.sight);
      }
      expect(readResponse(env.dialogue, '{"goal "left", "action": "turn left"}', now).thoughtCorrect).toBe(false);
      expect(env.dialogue.check!(String(info.sight), info)).toBe(true);
      ({ observation, info } = env.step(0));
    }
    expect(sights.size).toBeGreaterThan(2);
  });

  it('is not checked in styles whose info does not tell where the goal is', () => {
    expect(context('plain-v1').dialogue.check).toBeUndefined();
  });
});
