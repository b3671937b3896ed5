/** The words for a shopper: before an action costs a step, and at the end. */
import { describe, expect, it } from 'vitest';
import { WebShopEnv } from './text-env.js';

const opened = (strict = true) => {
  const env = new WebShopEnv({ catalog: { products: 100 }, goals: 'human', strict });
  env.reset({ seed: 1 });
  return env;
};

describe('a refusal', () => {
  it.each([
    ['click[foo]', 'There is nothing named "foo" on this page.'],
    ['click[serch]', 'There is nothing named "serch" on this page. Did you mean click[search]?'],
    ['click[search]', 'Write what to search for: search[words].'],
    ['buy now', 'Write search[words] or click[name], for example click[buy now].'],
    ['search', 'Write click[search].'],
    ['look[around]', 'Unknown action "look". Write search[words] or click[name], for example click[buy now].'],
    ['search[red lamp]', undefined],
  ])('of %s on the first page: %s', (action, says) => {
    expect(opened().describeRefusal(action)).toBe(says);
  });

  it('is given for exactly the actions that the step would refuse', () => {
    for (const strict of [true, false]) {
      const env = opened(strict);
      for (const action of [
        'search[rug]',
        'search[lamp]',
        'click[next >]',
        'click[back to search]',
        'click[nothing]',
      ]) {
        const refusal = env.describeRefusal(action);
        const { info } = env.step(action);
        expect([strict, action, info.reason === undefined]).toEqual([strict, action, refusal === undefined]);
      }
    }
  });

  it('leads from a page without a search box back to it', () => {
    const env = opened();
    env.step('search[rug]');
    expect(env.describeRefusal('search[lamp]')).toBe('This page has no search box; click[back to search] leads to it.');
  });
});

it('says at the end how well the purchase fits', () => {
  const env = opened();
  let last = env.step(env.expert()!);
  while (!last.terminated) last = env.step(env.expert()!);
  expect(last.reward).toBe(1);
  expect(env.describeEnd(last)).toBe('The product fits everything that was asked for.');
});
