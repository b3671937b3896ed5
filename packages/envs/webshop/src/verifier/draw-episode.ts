/** Random actions and queries for comparisons: what agents do, and what they should not. */
import type { Generator } from '@vlgym/core';
import type { WebShopInfo } from '../env/info.js';
import { click, searchFor } from '../shop/action.js';
import type { Shop } from '../shop/shop.js';

const MAX_ACTIONS = 14;

/** Invalid actions, as agents write them; both shops must give the same answer. */
const INVALID = [
  '',
  'dance',
  'click[]',
  'search[]',
  'click[no such thing]',
  'click[Search]',
  'buy[now]',
  'click[buy now',
  'Click[Buy Now]',
  'think: click[next >]',
  'line\nclick[< prev]',
];

/**
 * Yields the next action for the page that `current` tells; the caller performs it before it asks for another.
 * Buying is rare at first and certain at the end.
 */
export function* drawActions(shop: Shop, current: () => WebShopInfo, random: Generator): IterableIterator<string> {
  for (let step = 0; step < MAX_ACTIONS; step += 1) {
    const { hasSearchBar, clickables } = current().availableActions;
    const names = clickables.filter((name) => name !== 'search');
    const chance = random.random();
    if (chance < 0.07) yield random.choice(INVALID);
    else if (hasSearchBar || names.length === 0 || chance < 0.12) yield searchFor(drawQuery(shop, random));
    else if (step > 8 && names.includes('buy now')) yield click('buy now');
    else {
      const wanted = names.filter((name) => name !== 'buy now' && (name !== 'back to search' || random.random() < 0.3));
      const name = random.choice(wanted.length > 0 ? wanted : names);
      yield click(random.random() < 0.1 ? name.toUpperCase() : name);
    }
  }
}

const WORDS = [
  'lamp',
  'shoes',
  'the',
  'a',
  'running',
  'organic tea',
  'men\u2019s',
  "women's",
  'USB-C',
  '24 oz',
  'caf\u00e9',
  'x',
  '3x-large',
  'of',
  'and price lower than',
  '+',
  'e.g.',
  '12,5',
];

/** Parts of titles and attributes, instructions, odd words. */
export function drawQuery(shop: Shop, random: Generator): string {
  const product = shop.products.at(random.integers(shop.products.size));
  const kind = random.integers(6);
  if (kind === 0) return product.title.toLowerCase();
  if (kind === 1) return shop.goals[random.integers(shop.goals.length)]!.instruction.replace(/[[\]\n]/g, ' ');
  if (kind === 2) return [random.choice(WORDS), random.choice(WORDS), random.choice(WORDS)].join(' ');
  const words = `${product.title} ${product.attributes.join(' ')} ${product.bulletPoints[0] ?? ''}`
    .toLowerCase()
    .split(/\s+/);
  return Array.from({ length: 1 + random.integers(5) }, () => random.choice(words)).join(' ');
}
