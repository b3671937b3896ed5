/** Prompts for models, and the parsing of their answers. */
import type { ChatMessage, Turn } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { AlfworldEnv } from './alfworld.js';
import { DIALOGUE_STYLES, type DialogueStyle, householdDialogue } from './dialogue.js';
import type { HouseholdInfo } from './info.js';

const info = {
  admissibleCommands: ['go to drawer 1', 'go to drawer 12', 'inventory', 'look', 'take mug 1 from desk 1'],
  task: 'put a mug in drawer.',
} as unknown as HouseholdInfo;
const context = { observation: 'On the desk 1, you see a mug 1.', info, history: [] };
const answer = (action: string) => JSON.stringify({ thoughts: 'hm', action });

describe('an answer', () => {
  const { parse } = householdDialogue({});
  it.each([
    [answer('go to drawer 12'), 'go to drawer 12', true],
    [answer('go to drawer 1'), 'go to drawer 1', true],
    [answer('Take Mug 1 from desk 1.'), 'take mug 1 from desk 1', true],
    [answer('go to drawer 123'), 'go to drawer 123', false],
    [answer('take mug 1'), 'take mug 1', false],
    [answer('go to drawer 1 and look'), 'go to drawer 1 and look', false],
    [answer('look at mug'), 'look at mug', false],
    [answer('go to drawer 1 2'), 'go to drawer 1 2', false],
    [answer('go to drawer 1-2'), 'go to drawer 1-2', false],
    [answer('take mug 1 from desk 1 again'), 'take mug 1 from desk 1 again', false],
    [answer("don't look"), "don't look", false],
    [answer('I go to drawer 1'), 'I go to drawer 1', false],
    [answer(' "Look." '), 'look', true],
    [answer('`go to  drawer 1`.'), 'go to drawer 1', true],
    ['I will look around', 'I will look around', false],
    [' look ', '"look"', false],
    ['\x1clook', '"\x1clook"', false],
    ['', '', false],
    [`{"action": "${'x'.repeat(500)}"}`, 'x'.repeat(200), false],
  ])('%s means %s', (text, action, legal) => {
    expect(parse(text, context)).toMatchObject({ action, legal });
  });

  it('without an action always parses to an action of the environment', () => {
    const env = new AlfworldEnv();
    const { observation, info: real } = env.reset({ seed: 1 });
    for (const text of ['\ud83c', 'null', '{"action": null}', '{"action": ["look"]}', '🙂'.repeat(300)]) {
      const { action, legal } = env.dialogue.parse(text, { observation, info: real, history: [] });
      expect(legal).toBe(false);
      expect(env.step(action!).info.legal).toBe(false);
    }
  });

  it('that merely contains a command is refused with a hint', () => {
    expect(parse(answer('look at mug'), context)).toMatchObject({
      reason: 'unknown-action',
      repairHint: expect.stringMatching(/^"look at mug" is not one of the commands/),
    });
  });

  it('with a command in the wrong place is an illegal step in the environment, too', () => {
    const env = new AlfworldEnv();
    const { observation, info: real } = env.reset({ seed: 1 });
    const seen = { observation, info: real, history: [] };
    for (const style of ['rl4vlm-v1', 'verl-agent-v1'] as const) {
      for (const matching of ['whole', 'contained', 'longest'] as const) {
        const { action, legal } = householdDialogue({ style, matching }).parse('look', seen);
        expect({ legal, ...env.step(action!) }).toMatchObject({ legal: false, reward: -1, info: { legal: false } });
      }
    }
  });

  it.each([
    ['contained', 'I go to drawer 12 now', 'go to drawer 12', true],
    ['contained', "don't look", 'look', true],
    ['contained', 'look or inventory', 'look or inventory', false],
    ['longest', 'go to drawer 12', 'go to drawer 12', true],
    ['longest', 'look, then go to drawer 1', 'go to drawer 1', true],
    ['longest', 'go to drawer 123', 'go to drawer 123', false],
    ['longest', 'overlook', 'overlook', false],
    ['rl4vlm-compat', 'go to drawer 12', 'go to drawer 1', true],
    ['rl4vlm-compat', 'overlook', 'look', true],
    ['rl4vlm-compat', 'fly', 'fly', false],
  ] as const)('is matched by %s: %s is %s', (matching, said, action, legal) => {
    const styles = ['rl4vlm-v1', 'verl-agent-v1'] as const;
    const answers = [answer(said), `<think>look: "action": "inventory"</think><action>${said}</action>`];
    for (const [index, style] of styles.entries()) {
      const read = householdDialogue({ style, matching }).parse(answers[index]!, context);
      expect(read, style).toMatchObject({ action, legal });
    }
  });

  it('of an expert is understood by every matching of whole words', () => {
    for (const style of DIALOGUE_STYLES) {
      for (const matching of ['whole', 'contained', 'longest'] as const) {
        const dialogue = householdDialogue({ style, matching });
        for (const action of info.admissibleCommands) {
          const spoken = dialogue.demonstrate!(context, action);
          expect(dialogue.parse(spoken, context)).toMatchObject({ action, legal: true });
        }
      }
    }
  });

  it('of verl-agent is read from tags', () => {
    const { parse: parseTags } = householdDialogue({ style: 'verl-agent-v1' });
    const spoken = '<think>the mug</think><action>take mug 1 from desk 1</action>';
    expect(parseTags(spoken, context)).toMatchObject({
      action: 'take mug 1 from desk 1',
      legal: true,
      formatValid: true,
      thought: 'the mug',
    });
    expect(parseTags('<action>look</action>', context)).toMatchObject({
      action: 'look',
      legal: true,
      formatValid: false,
    });
  });
});

describe('a prompt', () => {
  const turn = { observation: 'You arrive at desk 1.', text: '', action: 'go to desk 1', reward: 0 };
  const said = (
    style: DialogueStyle,
    observation: Parameters<ReturnType<typeof householdDialogue>['prompt']>[0]['observation'] = context.observation,
  ) => householdDialogue({ style }).prompt({ ...context, observation, history: [turn] });
  const words = (...args: Parameters<typeof said>) => JSON.stringify(said(...args));

  it('of rl4vlm contains scene, task, and commands', () => {
    expect(words('rl4vlm-v1')).toContain(context.observation);
    expect(words('rl4vlm-v1')).toContain("'go to drawer 12'");
    expect(words('rl4vlm-v1')).toContain('Your task is to: put a mug in drawer.');
  });

  it('of gtr lists past commands and leaves the scene to the picture', () => {
    const image = { data: new Uint8Array(3), width: 1, height: 1, channels: 3 } as never;
    expect(words('gtr-v1')).toContain("Commands so far: ['go to desk 1']");
    expect(words('gtr-v1', { text: 'On the desk', image })).not.toContain('On the desk');
    expect(words('rl4vlm-v1', { text: 'On the desk', image })).toContain('On the desk');
    expect(said('gtr-v1', image)[0]!.content).toMatchObject([{ type: 'image', image }, { type: 'text' }]);
  });

  it('of verl-agent repeats the last turns', () => {
    expect(words('verl-agent-v1')).toContain('[saw: You arrive at desk 1. | did: go to desk 1]');
  });

  it('of chat begins with the prompt before it and what was said', () => {
    const env = new AlfworldEnv({ dialogue: 'chat-v1' });
    const history: Turn<string, string>[] = [];
    let { observation, info: real } = env.reset({ seed: 3 });
    let before: readonly ChatMessage[] = [];
    for (let step = 0; step < 4; step += 1) {
      const now = { observation: observation as string, info: real, history };
      const prompt = env.dialogue.prompt(now);
      expect(prompt.slice(0, before.length)).toEqual(before);
      expect(JSON.stringify(prompt).split('Your task is to:')).toHaveLength(2);
      const action = env.oracle()!;
      // an agent may say nothing
      const text = step === 1 ? '' : env.dialogue.demonstrate!(now, action);
      before = [...prompt, { role: 'assistant', content: text || JSON.stringify({ action }) }];
      history.push({ observation: observation as string, text, action, reward: 0 });
      ({ observation, info: real } = env.step(action));
    }
  });

  it('of chat shows every picture and says the task once', () => {
    const image = { data: new Uint8Array(3), width: 1, height: 1, channels: 3 } as never;
    const past = { observation: image, text: '', action: 'look', reward: 0 };
    const prompt = householdDialogue({ style: 'chat-v1' }).prompt({ ...context, observation: image, history: [past] });
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    const [, first, , second] = prompt.map(({ content }) => content);
    const words = { type: 'text', text: `You see the picture.\nYour task is to: ${info.task}` };
    expect(first).toEqual([{ type: 'image', image }, words]);
    expect(second).toEqual([
      { type: 'image', image },
      { type: 'text', text: 'You see the picture.' },
    ]);
  });

  it.each(DIALOGUE_STYLES)('of %s has a version that changes with its words', (style) => {
    const dialogues = [householdDialogue({ style }), householdDialogue({ style, actionOnly: true })];
    expect(dialogues.map(({ version }) => version)).toEqual([`alfworld/${style}`, `alfworld/${style}-action-only`]);
    for (const dialogue of dialogues) {
      expect(dialogue.parse(dialogue.demonstrate!(context, 'look'), context)).toMatchObject({
        action: 'look',
        legal: true,
        formatValid: true,
      });
      expect(dialogue.choices!(context)).toEqual(info.admissibleCommands);
    }
  });
});
