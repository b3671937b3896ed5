/** Prompts, readings, and the truth of thoughts. */
import { messageText, promptImages, readResponse } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import '../index.js';
import { mixedLocal } from '../babyai/levels/mixed-local.js';
import { createMiniGrid, DIALOGUE_STYLES, MiniGridEnv } from '../index.js';

const begin = (options: object) => {
  const env = createMiniGrid('BabyAI-GoToRedBall-v0', options);
  const { observation, info } = env.reset({ seed: 2 });
  return { env, context: { observation: observation as never, info, history: [] } };
};

describe.each(DIALOGUE_STYLES)('%s', (dialogue) => {
  it('understands its own demonstrations of six actions', () => {
    const { env, context } = begin({ dialogue });
    const labels = [0, 1, 2, 3, 4, 5].map((action) => env.dialogue.demonstrate!(context, action));
    const parsed = labels.map((text) => env.dialogue.parse(text, context));
    expect(parsed.map(({ action, formatValid }) => [action, formatValid])).toEqual(
      [0, 1, 2, 3, 4, 5].map((action) => [action, true]),
    );
  });

  it('names the mission, and shows what the observation has', () => {
    const shown = (['symbolic', 'image', 'text', 'both'] as const).map((observation) => {
      const { env, context } = begin({ dialogue, observation });
      const messages = env.dialogue.prompt(context);
      const text = messages.map(messageText).join('\n');
      expect(text).toContain(context.info.mission);
      return [promptImages(messages).length, /wall \d step|box \d step|key \d step|ball \d step/.test(text)];
    });
    expect(shown).toEqual([
      [0, true],
      [1, false],
      [0, true],
      [1, true],
    ]);
  });
});

describe('a thought', () => {
  const { env, context } = begin({});
  const judge = (thoughts: string) =>
    readResponse(env.dialogue, JSON.stringify({ thoughts, action: 'left' }), context).thoughtCorrect;
  const { ahead } = context.info;

  it.each<[string, boolean | undefined]>([
    [`Ahead of me is ${ahead}.`, true],
    [`Ahead of me is ${ahead}, and I carry nothing.`, true],
    ['Ahead of me is a purple dragon.', false],
    [`Ahead of me is ${ahead}. I carry a red key.`, false],
    ['I turn around.', undefined],
  ])('"%s" is %s', (thought, verdict) => {
    expect(judge(thought)).toBe(verdict);
  });
});

describe('the words of BALROG', () => {
  const env = new MiniGridEnv('test', mixedLocal('goto', 0), { observation: 'both', dialogue: 'balrog-naive-v1' });
  const { observation, info } = env.reset({ seed: 0 });

  it('go forward for an answer that names no action, and say so in the next prompt', () => {
    const read = env.dialogue.parse('Turn left!');
    expect([read.action, read.formatValid]).toEqual([2, false]);
    const history = [{ observation, text: 'Turn left!', action: 2, reward: 0 }];
    const messages = env.dialogue.prompt({ observation, info, history });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
    expect(messageText(messages[3]!)).toContain(
      'Current Observation:\n\n\nYour previous output did not contain a valid action. Defaulted to action: go forward\n\nObservation:\na wall',
    );
    expect(promptImages(messages)).toHaveLength(1);
  });
});
