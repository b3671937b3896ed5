import { describe, expect, it } from 'vitest';
import { generateProducts } from '../generator/generated-store.js';
import { Shop } from '../shop/shop.js';
import { WebShopEnv } from './text-env.js';

const shopOf = (products: number, seed = 0) => new Shop(generateProducts({ products, seed }), { goals: 'human' });
const shop = shopOf(300);

/** An environment during a visit. */
function visiting(of = shop) {
  const env = new WebShopEnv({ strict: true }, of);
  env.reset({ options: { goal: 3, session: 'visit' } });
  while (env.expert() !== 'click[buy now]') env.step(env.expert()!);
  return env;
}

const refused = expect.objectContaining({
  code: 'SNAPSHOT_MISMATCH',
  expected: expect.any(String),
  hint: expect.any(String),
});

describe('a snapshot of the shop', () => {
  it.each([
    ['of fewer products', shopOf(200)],
    ['of other products', shopOf(300, 1)],
    ['with other goals', new Shop(generateProducts({ products: 300 }), { goals: 'human', limitGoals: 50 })],
    [
      'with the same goals in another order',
      new Shop(generateProducts({ products: 300 }), { goals: 'human', goalSeed: 1 }),
    ],
  ])('is refused in another shop %s', (_, other) => {
    const env = visiting(other);
    const before = env.snapshot();
    expect(() => env.restore(visiting().snapshot())).toThrow(refused);
    expect(env.snapshot()).toEqual(before);
  });

  it('is accepted in an equal shop', () => {
    const env = new WebShopEnv({ strict: true }, shopOf(300));
    const first = visiting();
    env.restore(first.snapshot());
    expect(env.step('click[buy now]')).toEqual(first.step('click[buy now]'));
  });

  const session = { asins: 5 };
  it.each([
    5,
    null,
    {},
    { session },
    { session: { goalIndex: 1_000_000 } },
    { session: { hits: [1_000_000] } },
    { session: { asin: 'nothing' } },
    { session: { asin: null } },
    { session: { page: 'results', keywords: null } },
    { session: { page: 'sub-page', subPage: null } },
    { session: { page: 'elsewhere' } },
    { session: { options: [['size']] } },
    { observations: [1] },
  ])('with the state %j is refused and changes nothing', (change) => {
    const env = visiting();
    const before = env.snapshot();
    const state = before.state as { session: object };
    const changed =
      typeof change === 'object' && change && 'session' in change
        ? { ...state, session: { ...state.session, shop: undefined, ...change.session } }
        : typeof change === 'object' && change && 'observations' in change
          ? { ...state, ...change }
          : change;
    expect(() => env.restore({ ...before, state: changed })).toThrow(refused);
    expect(env.snapshot()).toEqual(before);
  });

  it('with an invalid generator changes nothing', () => {
    const env = visiting();
    const before = env.snapshot();
    expect(() => env.restore({ ...before, state: { ...(before.state as object), random: { key: 1 } } })).toThrow(
      expect.objectContaining({ code: expect.any(String) }),
    );
    expect(env.snapshot()).toEqual(before);
  });
});
