/** Thoughts about cards and numbers that are true, that are not, and that say nothing. */
import { readResponse } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlackjackEnv } from '../games/blackjack.js';
import { EZPointsV1Env } from '../games/ez-points.js';
import { NumberLineEnv } from '../games/number-line.js';
import { Points24V1Env } from '../games/points24.js';
import { SignsEnv } from '../games/signs.js';
import { DIALOGUE_STYLES, type DialogueStyle } from './style.js';

const size = { height: 42, width: 56 };
const GAMES = {
  numberline: (dialogue: DialogueStyle) => new NumberLineEnv({ size, dialogue }),
  ezpoints: (dialogue: DialogueStyle) => new EZPointsV1Env({ size, dialogue }),
  points24: (dialogue: DialogueStyle) => new Points24V1Env({ size, dialogue }),
  blackjack: (dialogue: DialogueStyle) => new BlackjackEnv({ size, dialogue }),
  signs: (dialogue: DialogueStyle) => new SignsEnv({ size, dialogue, cards: 3 }),
};
const CASES = Object.keys(GAMES).flatMap((game) => DIALOGUE_STYLES.map((style) => [game, style] as const));
// the games share an interface, but not the types of their infos
const make = (game: string, style: DialogueStyle) => GAMES[game as 'ezpoints'](style);

describe.each(CASES)('a thought in %s, %s', (game, style) => {
  it('is right where the expert says it, in the whole answer and alone', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const env = make(game, style);
        let { observation, info } = env.reset({ seed });
        for (let step = 0; step < 8; step += 1) {
          const context = { observation, info, history: [] };
          const action = env.oracle() ?? env.actionSpace.n - 1;
          const text = env.dialogue.demonstrate!(context, action);
          const read = readResponse(env.dialogue, text, context);
          expect([text, read.thoughtCorrect]).toEqual([text, true]);
          expect(env.dialogue.check!(read.thought, info)).not.toBe(false);
          const result = env.step(action);
          if (result.terminated || result.truncated) break;
          ({ observation, info } = result);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('is wrong about another start than the one it was said of', () => {
    const env = make(game, style);
    const first = env.reset({ seed: 1 });
    const text = env.dialogue.demonstrate!({ ...first, history: [] }, env.oracle() ?? env.actionSpace.n - 1);
    const verdicts = Array.from({ length: 20 }, (_, seed) => {
      const { observation, info } = env.reset({ seed: seed + 2 });
      return readResponse(env.dialogue, text, { observation, info, history: [] }).thoughtCorrect;
    });
    expect(verdicts.filter((correct) => correct === false).length).toBeGreaterThan(10);
  });
});

it.each(Object.keys(GAMES))('is not checked where %s asks for the action alone', (game) => {
  const env = {
    numberline: () => new NumberLineEnv({ actionOnly: true }),
    ezpoints: () => new EZPointsV1Env({ actionOnly: true }),
    points24: () => new Points24V1Env({ actionOnly: true }),
    blackjack: () => new BlackjackEnv({ actionOnly: true }),
    signs: () => new SignsEnv({ actionOnly: true }),
  }[game]!();
  expect(env.dialogue.check).toBeUndefined();
});

describe('what is checked of Points24', () => {
  const play = (style: DialogueStyle, entries: string, cards = ['D7', 'CK', 'S7', 'DA']) => {
    const env = new Points24V1Env({ size, dialogue: style });
    let { info } = env.reset({ options: { cards } });
    for (const entry of entries.match(/10|\S/g) ?? []) ({ info } = env.step(env.actionSpace.labels!.indexOf(entry)));
    return (said: string) => env.dialogue.check!(said, info);
  };
  const compact = (cards: string, formula: string, thoughts: string) =>
    `{"cards": [${cards}], "formula": "${formula}", "thoughts": "${thoughts}", `;

  it.each([
    [compact('7, 10, 7, 1', '10+', '10+7+7*1=24'), true],
    [compact('1, 7, 7, 10', '10+', '10+7+7/1=24'), true],
    [compact('7, 9, 7, 1', '10+', '10+7+7*1=24'), false],
    [compact('7, 10, 7, 1', '10-', '10+7+7*1=24'), false],
    [compact('7, 10, 7, 1', '10+', '10+7+7+1=24'), false],
    [compact('7, 10, 7, 1', '10+', '10+7+7*1=25'), false],
    [compact('7, 10, 7, 1', '10+', '7+10+7*1=24'), false],
    [compact('7, 10, 7, 1', '10+', 'none'), false],
    [compact('7, 10, 7, 1', '10+', 'x x x'), false],
    [
      compact(
        '7, 10, 7, 1',
        '10+',
        '10,7,7,1:10+7=17:17,7,1!17+7=24,1!24*1=24|24:17+7=(17+7)*1|17:10+7=(10+7+7)*1;10+>7',
      ),
      false,
    ],
    [compact('7, 10, 7, 1', '10+', '10,7,7,1:10+7=17:17,7,1!17+7=24|24:17+7=17+7*1|17:10+7=10+7+7*1;10+>7'), true],
    ['{"cards": [7, 10', false],
    ['10+7+7*1=24', true],
  ])('%j is %s', (said, correct) => {
    expect(play('compact-v1', '10+')(said)).toBe(correct);
  });

  it('includes that no formula exists, where none does', () => {
    expect(play('compact-v1', '', ['HA', 'SA', 'DA', 'CA'])(compact('1, 1, 1, 1', '', 'none'))).toBe(true);
  });

  it('is nothing in a sentence that says nothing of the cards', () => {
    expect(play('vl-dac-v1', '10+')('{"thoughts": "Let me think.", ')).toBeUndefined();
    expect(
      play('rl4vlm-v1', '10+')('{"cards": ["7", "K", "7", "A"], "current formula": "10+", "thoughts": "Hm.", '),
    ).toBe(true);
  });
});

describe('what is checked of NumberLine', () => {
  const check = (style: DialogueStyle, said: string) =>
    new NumberLineEnv({ dialogue: style }).dialogue.check!(said, { Current: 3, Target: 5 });
  it.each([
    ['compact-v1', '{"current number": "3", "target number": "5", "thoughts": "3<5", ', true],
    ['compact-v1', '{"current number": 3, "target number": 5, "thoughts": "3<5", ', true],
    ['compact-v1', '{"current number": "3", "target number": "5", "thoughts": "3>5", ', false],
    ['compact-v1', '{"current number": "2", "target number": "5", "thoughts": "3<5", ', false],
    ['compact-v1', '{"target number": "5", "thoughts": "3<5", ', false],
    ['compact-v1', '{"current number": "3", "target number": "5", "thoughts": "", ', false],
    ['vl-dac-v1', 'The current number is 3 and the target is 5.', true],
    ['vl-dac-v1', 'The current number is 4, so I add one.', false],
    ['vl-dac-v1', 'I add one.', undefined],
  ] as const)('%s %j is %s', (style, said, correct) => {
    expect(check(style, said)).toBe(correct);
  });
});

it('checks totals and the open card of Blackjack', () => {
  const cards = {
    'Player Card': [
      [10, 'K', 'S'],
      [6, '6', 'H'],
    ],
    'Dealer Card': [[1, 'A', 'C']],
  } as never;
  const check = (style: DialogueStyle, said: string) =>
    new BlackjackEnv({ dialogue: style }).dialogue.check!(said, cards);
  expect(check('compact-v1', '16 vs A')).toBe(true);
  expect(check('compact-v1', 'soft 16 vs A')).toBe(false);
  expect(check('compact-v1', '16 vs 10')).toBe(false);
  expect(check('compact-v1', 'who knows')).toBe(false);
  expect(check('rl4vlm-v1', 'My total is 16 and the dealer shows an ace.')).toBe(true);
  expect(check('rl4vlm-v1', 'My total is 15.')).toBe(false);
  expect(check('rl4vlm-v1', 'who knows')).toBeUndefined();
});
