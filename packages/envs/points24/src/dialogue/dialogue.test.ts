import { messageText, promptImages } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlackjackEnv } from '../games/blackjack.js';
import { EZPointsEnv } from '../games/ez-points.js';
import { NumberLineEnv } from '../games/number-line.js';
import type { PointsEnv } from '../games/points-env.js';
import { Points24Env, Points24V1Env } from '../games/points24.js';
import { DIALOGUE_STYLES, type DialogueStyle } from './style.js';

const size = { height: 84, width: 112 };
const history = [] as const;

const GAMES = {
  numberline: (dialogue: DialogueStyle, actionOnly: boolean) => new NumberLineEnv({ size, dialogue, actionOnly }),
  ezpoints: (dialogue: DialogueStyle, actionOnly: boolean) => new EZPointsEnv({ size, dialogue, actionOnly }),
  points24: (dialogue: DialogueStyle, actionOnly: boolean) => new Points24V1Env({ size, dialogue, actionOnly }),
  blackjack: (dialogue: DialogueStyle, actionOnly: boolean) => new BlackjackEnv({ size, dialogue, actionOnly }),
};

const CASES = Object.keys(GAMES).flatMap((game) =>
  DIALOGUE_STYLES.flatMap((style) => [false, true].map((actionOnly) => [game, style, actionOnly] as const)),
);

describe.each(CASES)('%s in %s, action only: %s', (game, style, actionOnly) => {
  // The four games share an interface, but not the types of their infos.
  const make = () => GAMES[game as 'ezpoints'](style, actionOnly);

  it('parses the responses of its own expert at every step of an episode', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const env = make();
        let { observation, info } = env.reset({ seed });
        for (let step = 0; step < 20; step += 1) {
          const context = { observation, info, history };
          const action = env.oracle() ?? env.actionSpace.n - 1;
          const text = env.dialogue.demonstrate!(context, action);
          const parsed = env.dialogue.parse(text, context);
          expect(parsed).toMatchObject({ action, legal: true, formatValid: true });
          expect(Object.keys(JSON.parse(text)).at(-1)).toBe('action');
          const result = env.step(action);
          if (result.terminated) break;
          ({ observation, info } = result);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('contains the picture once, then the text, and names its version', () => {
    const env = make();
    const { observation, info } = env.reset({ seed: 1 });
    const messages = env.dialogue.prompt({ observation, info, history });
    expect(messages.map(({ role }) => role)).toEqual(['user']);
    expect(promptImages(messages)).toEqual([observation]);
    expect(messageText(messages[0]!)).toMatch(/^\n\S/);
    expect(env.dialogue.version).toBe(`${game}/${style}`);
  });
});

describe('Points24', () => {
  const start = (env: PointsEnv, entries: string, cards = ['D7', 'CK', 'S7', 'DA']) => {
    const labels = env.actionSpace.labels!;
    let { observation, info } = env.reset({ options: { cards } });
    for (const entry of entries.match(/10|\S/g) ?? []) ({ observation, info } = env.step(labels.indexOf(entry)));
    return { observation, info, history };
  };
  const say = (env: PointsEnv, context: ReturnType<typeof start>, label: string) =>
    JSON.parse(env.dialogue.demonstrate!(context, env.actionSpace.labels!.indexOf(label)));

  it('shows the current formula, which is empty in a new episode', () => {
    for (const dialogue of DIALOGUE_STYLES) {
      const env = new Points24Env({ size, dialogue });
      const words = (context: ReturnType<typeof start>) => messageText(env.dialogue.prompt(context)[0]!);
      expect(words(start(env, '(7+10'))).toContain('"(7+10"');
      env.step(16);
      expect(words(start(env, ''))).not.toContain('(7+10');
    }
  });

  it('does not offer numbers after a digit in the style of VL-DAC', () => {
    const env = new Points24Env({ size, dialogue: 'vl-dac-v1' });
    const words = (entries: string) => messageText(env.dialogue.prompt(start(env, entries))[0]!);
    expect(words('')).toContain("'10', '+'");
    expect(words('7')).toContain("['+', '-', '*', '/', '(', ')', '=']");
    expect(words('7+')).toContain("['1', '2'");
  });

  it('demonstrates the cards, the planned formula and the next entry', () => {
    const env = new Points24Env({ size });
    expect(say(env, start(env, '10+7'), '+')).toEqual({
      cards: ['7', 'K', '7', 'A'],
      'current formula': '10+7',
      thoughts:
        'The cards are 7, K, 7, A and count as 7, 10, 7, 1. The formula is 10+7. ' +
        "It can become 10+7+7*1, which equals 24, so I append '+'.",
      action: '+',
    });
    expect(say(env, start(env, '10+7+7*1'), '=').thoughts).toMatch(/uses every card and equals 24, so I end with '='/);
    expect(say(env, start(env, '10+'), '=').thoughts).toMatch(/The formula is 10\+\. I end with '='\.$/);
    expect(say(env, start(env, '10-7'), '+').thoughts).toMatch(/cannot reach 24 any more\. I append '\+'\.$/);
    expect(say(env, start(env, '*'), '=').thoughts).toMatch(/No formula that begins like this equals 24/);
    expect(say(env, start(env, '', ['HA', 'SA', 'DA', 'CA']), '=').thoughts).toMatch(/No formula .* equals 24/);
  });

  it('is short in the compact style', () => {
    const env = new Points24Env({ size, dialogue: 'compact-v1' });
    expect(env.dialogue.demonstrate!(start(env, '10+'), 6)).toBe(
      '{"cards": [7, 10, 7, 1], "formula": "10+", "thoughts": "10+7+7*1=24", "action": "7"}',
    );
    expect(say(env, start(env, '', ['HA', 'SA', 'DA', 'CA']), '=').thoughts).toBe('none');
    expect(messageText(env.dialogue.prompt(start(env, '10+'))[0]!)).toBe(
      '\nMake 24. Formula: "10+". JSON keys: cards, formula, thoughts, action.',
    );
  });

  it('parses an unavailable action and marks it as such', () => {
    const env = new Points24V1Env({ size });
    const context = start(env, '7');
    const parsed = env.dialogue.parse('{"thoughts": "", "action": "10"}', context);
    expect(parsed).toMatchObject({ action: 9, legal: false, reason: 'unavailable-action' });
    expect(parsed.repairHint).toContain('"+"');
    expect(parsed.repairHint).not.toContain('"10",');
    expect(env.dialogue.parse('{"thoughts": "", "action": "10"}').legal).toBe(true);
  });

  it.each([
    ['', 'empty'],
    ['I think about it', 'no-action-marker'],
    ['{"thoughts": "?", "action": ""}', 'no-action'],
    ['{"thoughts": "?", "action": "1 or 2"}', 'ambiguous-action'],
    ['{"thoughts": "?", "action": "%"}', 'unknown-action'],
  ])('turns %j into a reason, not an error', (text, reason) => {
    expect(new Points24Env().dialogue.parse(text)).toMatchObject({ legal: false, reason });
  });

  it('adapts its text to the options of the game', () => {
    const env = new Points24Env({ size, target: 36, treatFaceCardsAs10: false });
    const { observation, info } = env.reset({ seed: 0 });
    const words = messageText(env.dialogue.prompt({ observation, info, history })[0]!);
    expect(words).toContain('count as 11, 12 and 13');
    expect(words).toContain('equals 36');
    expect(words).toContain("'13', '+'");
  });
});

it('states the totals of Blackjack in words without a picture', () => {
  const env = new BlackjackEnv({ isPixel: false });
  const { observation, info } = env.reset({ seed: 0 });
  const messages = env.dialogue.prompt({ observation, info, history });
  expect(promptImages(messages)).toEqual([]);
  expect(messageText(messages[0]!)).toMatch(/^Your total is 12; the dealer shows 10\./);
});
