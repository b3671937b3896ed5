import { readResponse } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { WebShopEnv } from '../env/text-env.js';
import { checkThought } from './thought-check.js';

const info = {
  instruction: 'i need pink shoes size 5, and price lower than 50.00 dollars',
  availableActions: { hasSearchBar: false, clickables: ['b000000001', 'pink', '5, wide', 'buy now'] },
};

describe('a thought in the shop', () => {
  it.each([
    ['below 50.00: $28.99.', true],
    ['below 50.00: none.', true],
    ['below 40.00: $28.99.', false],
    ['below 50.00: $58.99.', false],
    ['It should be under $50.', true],
    ['choose pink, 5, wide.', true],
    ['choose blue, 5, wide.', false],
    ['choose none.', undefined],
    ['The product b000000001 looks right, so I open it.', true],
    ['The product b000000002 looks right, so I open it.', false],
    ['What I want is not on this page.', undefined],
  ])('%j is %s', (said, correct) => {
    expect(checkThought(said, info)).toBe(correct);
  });

  it.each(['json-v1', 'tags-v1', 'tools-v1', 'chat-v1'] as const)(
    'is never wrong where the expert says it, %s',
    (dialogue) => {
      const env = new WebShopEnv({ catalog: { products: 200 }, dialogue });
      let checked = 0;
      for (let seed = 0; seed < 6; seed += 1) {
        let { observation, info: now } = env.reset({ seed });
        for (let step = 0; step < 12; step += 1) {
          const action = env.oracle?.();
          if (action === undefined) break;
          const context = { observation, info: now, history: [] };
          const { thoughtCorrect } = readResponse(env.dialogue, env.dialogue.demonstrate!(context, action), context);
          expect(thoughtCorrect).not.toBe(false);
          if (thoughtCorrect) checked += 1;
          ({ observation, info: now } = env.step(action));
        }
      }
      if (dialogue !== 'chat-v1') expect(checked).toBeGreaterThan(0);
    },
  );
});

it.each(['json-v1', 'tags-v1', 'tools-v1', 'chat-v1'] as const)(
  'says that an unreadable answer did nothing, %s',
  (dialogue) => {
    const env = new WebShopEnv({ catalog: { products: 100 }, dialogue });
    const { observation, info: now } = env.reset({ seed: 1 });
    const turn = { observation, action: undefined, reward: 0 };
    const history = [
      { ...turn, text: 'hm' },
      { ...turn, text: '' },
    ];
    const text = JSON.stringify(env.dialogue.prompt({ observation, info: now, history }));
    expect(text).not.toMatch(/undefined|null/);
  },
);
