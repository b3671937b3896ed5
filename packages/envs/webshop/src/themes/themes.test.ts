import { hashImage } from '@vlgym/core/images';
import { plainText } from '@vlgym/site/text';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateProducts } from '../generator/generated-store.js';
import { KINDS } from '../generator/kinds.js';
import { opinionOf } from '../generator/reviews.js';
import { PHOTO_SIZE, Studio } from '../pictures/studio.js';
import type { Element } from '../shop/element.js';
import { clickables } from '../shop/observe.js';
import { Shop } from '../shop/shop.js';
import { exactPrices } from './dress.js';
import { type Dresser, dresserOf } from './dresser.js';
import { popUpLabel } from './pop-ups.js';
import { LOOKS } from './theme.js';

const shop = new Shop(generateProducts({ products: 200, seed: 2, visual: 0.3, wording: 'shop' }), {
  goals: 'human',
  cart: true,
});

/** A session on every kind of page. */
function visits(id: string) {
  const open = (change: (session: ReturnType<Shop['newSession']>) => void) => {
    const session = shop.newSession(id, 3);
    change(session);
    return session;
  };
  const results = (session: ReturnType<Shop['newSession']>) =>
    shop.openResults(session, ['lamp'], 1, () => expect.unreachable());
  const item = (session: ReturnType<Shop['newSession']>) => {
    results(session);
    shop.openProduct(session, shop.products.at(session.hits[0]!).asin);
  };
  return {
    index: open(() => {}),
    results: open(results),
    item: open(item),
    reviews: open((session) => {
      item(session);
      shop.openSubPage(session, 'Reviews');
    }),
    cart: open((session) => {
      item(session);
      shop.openCart(session);
    }),
    done: open((session) => {
      item(session);
      shop.buy(session);
    }),
  };
}

const shopOf = (page: Element) => page.children.find((child) => (child as Element).attributes.id === 'shop') as Element;

describe('photographs', () => {
  const studio = new Studio();
  afterAll(() => studio.close());
  const take = (kind: string, pattern: 'plain' | 'striped' = 'plain', pack = 1) => {
    const data = studio.take({ kind, color: 'teal', pattern, pack });
    return hashImage({ width: PHOTO_SIZE, height: PHOTO_SIZE, channels: 3, data });
  };

  it('show each of the 46 kinds as something else', () => {
    expect(new Set(KINDS.map(({ query }) => take(query))).size).toBe(46);
  });

  it('show pattern and number, and are the same every time', () => {
    const seen = [take('hats'), take('hats', 'striped'), take('hats', 'plain', 2), take('hats', 'plain', 3)];
    expect(new Set(seen).size).toBe(4);
    expect(take('hats')).toBe(seen[0]);
  });

  it('take a thing of the same category for products that were not generated', () => {
    const about = { color: 'red', pattern: 'plain', pack: 1 } as const;
    expect(studio.address({ kind: 'sofas of today', category: 'fashion', ...about })).toBe(
      studio.address({ kind: "men's t-shirts", ...about }),
    );
  });
});

describe.each(LOOKS)('the theme %s', (theme) => {
  let dresser: Dresser;
  beforeAll(async () => {
    dresser = (await dresserOf(shop, theme))!;
  });
  afterAll(() => dresser.close());

  it.each(Object.entries(visits('a')))('keeps what can be clicked on the page %s, in its order', (_, session) => {
    const page = shopOf(dresser.page(session));
    expect([...clickables(page).keys()]).toEqual([...clickables(shop.page(session)).keys()]);
  });

  it('shows the ratings and reviews of a product', () => {
    const { reviews, item } = visits('a');
    const { rating, reviews: written } = opinionOf(shop.productOf(item.asin!)!)!;
    expect(JSON.stringify(dresser.page(item))).toContain(`Rating: ${rating.toFixed(1)} of 5`);
    for (const { text } of written) expect(JSON.stringify(dresser.page(reviews))).toContain(text);
  });
});

it.each(Object.entries(visits('a')))(
  'the theme original keeps the elements of the page %s and their texts',
  async (_, session) => {
    const dresser = (await dresserOf(shop, 'original'))!;
    const [ours, plain] = [dresser.page(session), shop.page(session)];
    expect([...clickables(ours).keys()]).toEqual([...clickables(plain).keys()]);
    expect(plainText(ours)).toBe(plainText(plain));
  },
);

it.each([
  ['$100.0', '$100.00'],
  ['Price: $13.0 to $22.49', 'Price: $13.00 to $22.49'],
  ['$5', '$5.00'],
  ['5 for 3.5', '5 for 3.5'],
])('writes the price %s with two digits', (text, expected) => {
  expect(exactPrices(text)).toBe(expected);
});

describe('disturbances', () => {
  it('depend on the name of the visit alone, and differ among visits', async () => {
    const dresser = (await dresserOf(shop, 'drawn', ['pop-ups', 'moved-buttons']))!;
    const pagesOf = (id: string) => Object.values(visits(id)).map((session) => dresser.page(session));
    const classes = new Set<string>();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const pages = pagesOf(id);
      expect(pagesOf(id)).toEqual(pages);
      expect(new Set(pages.map(({ attributes }) => attributes.class)).size).toBe(1);
      classes.add(pages[0]!.attributes.class!);
      const popUps = pages.filter((page) => popUpLabel(page) !== undefined).length;
      expect(popUps).toBeGreaterThanOrEqual(1);
      expect(popUps).toBeLessThanOrEqual(3);
    }
    expect(classes.size).toBeGreaterThan(4);
    expect([...classes].filter((name) => name.includes('arranged-0'))).toEqual([]);
    dresser.close();
  });

  it('are refused with themes that are not dressed', async () => {
    for (const theme of ['parity', 'original'] as const) {
      await expect(dresserOf(shop, theme, ['pop-ups'])).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    }
    expect(await dresserOf(shop, 'parity')).toBeUndefined();
  });
});

it('invents no reviews for products that were not generated', () => {
  expect(opinionOf({ ...shop.products.at(0), mainImage: 'http://images.invalid/1.jpg' })).toBeUndefined();
});

it('gives pictures no background, which would show in their corners or not, as they happen to arrive', async () => {
  const dresser = (await dresserOf(shop, 'drawn'))!;
  const rules = dresser.style.match(/[^{}]*(?:img|-img)[^{}]*\{[^{}]*\}/g)!;
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.filter((rule) => /background/.test(rule))).toEqual([]);
  dresser.close();
});
