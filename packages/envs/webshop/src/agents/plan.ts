/** The expert, who knows the goal's product: find it, choose its options, buy. */

import type { Product } from '../catalog/product.js';
import type { Goal } from '../goals/goal.js';
import { pythonLower } from '../python/lower-case.js';
import { normalizeColor } from '../reward/colors.js';
import { rewardOf } from '../reward/reward.js';
import { tokenSetRatio } from '../reward/token-set-ratio.js';
import { documentText } from '../search/document-text.js';
import { click, parseAction, searchFor } from '../shop/action.js';
import { clickables } from '../shop/observe.js';
import type { Session } from '../shop/session.js';
import { newSession } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';

export interface Plan {
  readonly asin: string;
  /** Query that finds the product. */
  readonly query: string;
  /** Group and value of each option to choose, in order. */
  readonly options: readonly (readonly [name: string, value: string])[];
  /** Reward of the purchase, 0 to 1. Some goals cannot reach 1, because the page does not offer what they ask for. */
  readonly reward: number;
}

/**
 * The best known plan for a goal; `undefined` if its product is not for sale or no search finds it.
 *
 * @param strict  Whether options with brackets in their values can be chosen, as in strict environments.
 */
export function planOf(shop: Shop, goal: Goal, strict = false): Plan | undefined {
  const product = shop.productOf(goal.asin);
  const query = product && queryFor(shop, product);
  if (!query) return undefined;
  const options = chosenOptions(offeredOptions(shop, product, strict), goal);
  const { reward } = rewardOf(
    { product, goal, price: shop.price(goal.asin), options: new Map(options) },
    { nouns: shop.nouns, backend: shop.fuzzy },
  );
  return { asin: goal.asin, query, options, reward };
}

/** The title; if many products have it, all text that search knows about the product. */
function queryFor(shop: Shop, product: Product): string | undefined {
  const position = shop.products.find(product.asin);
  const words = (text: string) => pythonLower(text.replace(/[[\]\n]/g, ' '));
  return [words(product.title), words(documentText(product))].find((query) => shop.find(query).includes(position));
}

/** At most one value per group, to meet as many wishes as possible. */
function chosenOptions(offered: readonly (readonly [string, string])[], goal: Goal): [string, string][] {
  const chosen = new Map<string, string>();
  const wanted: readonly (readonly [string | undefined, string])[] = isValues(goal.goalOptions)
    ? goal.goalOptions.map((value) => [undefined, value] as const)
    : [...goal.goalOptions];
  for (const [name, value] of wanted) {
    const free = offered.filter(([group]) => !chosen.has(group) && (name === undefined || group === name));
    const found = free.find(([, option]) => option === value) ?? free.find(([, option]) => alike(option, value));
    if (found) chosen.set(found[0], found[1]);
  }
  return [...chosen];
}

/** Options that a click on the item's page can choose: equal names hide each other, and some cannot be written. */
function offeredOptions(shop: Shop, product: Product, strict: boolean): (readonly [string, string])[] {
  const session = newSession('plan', shop.goals[0]!, 0);
  Object.assign(session, { page: 'item', asin: product.asin });
  const buttons = [
    'buy now',
    'place order',
    'back to search',
    '< prev',
    'description',
    'features',
    'reviews',
    'attributes',
    'search',
  ];
  return [...clickables(shop.page(session))]
    .filter(([name, { tag }]) => tag === 'input' && !buttons.includes(name))
    .filter(([name]) => parseAction(click(name), strict).argument === name)
    .map(([name, { attributes }]) => [attributes.name!.toLowerCase(), name] as const);
}

function alike(value: string, wanted: string): boolean {
  return tokenSetRatio(normalizeColor(value), normalizeColor(wanted)) > 85;
}

const isValues = (options: Goal['goalOptions']): options is readonly string[] => Array.isArray(options);

/** The expert's next action in any state of the session; `undefined` once it is over. */
export function nextAction(shop: Shop, session: Session, plan: Plan): string | undefined {
  switch (session.page) {
    case 'index':
      return searchFor(plan.query);
    case 'results': {
      const place = session.hits.indexOf(shop.products.find(plan.asin));
      const here = Math.floor(place / shop.productsPerPage) + 1;
      if (place < 0) return click('back to search');
      if (here === session.pageNumber) return click(plan.asin.toLowerCase());
      return click(here > session.pageNumber! ? 'next >' : '< prev');
    }
    case 'item': {
      if (session.asin !== plan.asin) return click('< prev');
      const open = openOption(session, plan);
      return click(open ? open[1] : 'buy now');
    }
    case 'cart':
      return click(session.asin === plan.asin && !openOption(session, plan) ? 'place order' : '< prev');
    case 'sub-page':
      return click('< prev');
    case 'done':
      return undefined;
  }
}

/** The first option that is not yet chosen. */
const openOption = ({ options }: Session, plan: Plan) =>
  plan.options.find(([name, value]) => options.get(name) !== value);
