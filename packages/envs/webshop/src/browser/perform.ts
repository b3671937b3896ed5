/** Performs the actions of the shop with mouse and keyboard. */

import type { BrowserPage } from '@vlgym/site/pages';
import { INPUTS, type InputTarget, input, inputAction } from '@vlgym/site/pages';
import { formatRoute, type Route } from '../server/routes.js';
import { parseAction } from '../shop/action.js';
import type { Session } from '../shop/session.js';

/** The shop and the page that an action applies to. */
export interface ShopContext extends InputTarget {
  readonly origin: string;
  readonly session: Session;
  readonly productsPerPage: number;
  /** Whether the product page has the button "Attributes". */
  readonly showAttributes: boolean;
  /** Search only from the search box, no pages after the last hit, brackets allowed in arguments. */
  readonly strict: boolean;
  /** Label of the button that closes the open pop-up. */
  readonly popUp?: string | undefined;
}

/** @returns Why nothing was done, or `undefined`. @throws {PageLostError} */
export async function perform(shop: BrowserPage, action: string, context: ShopContext): Promise<string | undefined> {
  const { name, argument } = parseAction(action, context.strict);
  if (argument !== undefined && name === 'search') return search(shop, argument, context);
  if (argument !== undefined && name === 'click') return click(shop, argument, context);
  const parsed = inputAction(action);
  if (parsed && INPUTS.has(parsed.name)) return input(shop, parsed, context);
  return argument === undefined ? 'not of the form name[argument]' : `unknown action "${name.slice(0, 40)}"`;
}

async function search(shop: BrowserPage, words: string, context: ShopContext): Promise<string | undefined> {
  const { session, strict, popUp } = context;
  if (
    popUp !== undefined &&
    (await shop.evaluate<boolean>(`(${IS_COVERED})(document.getElementById('search_input'))`))
  ) {
    return coveredBy(popUp);
  }
  const box = await shop.evaluate<boolean>(FOCUS);
  if (!box && strict) return 'this page has no search box';
  if (box) await shop.act(() => shop.page.keyboard.sendCharacter(words));
  const typed =
    box && (await shop.evaluate<boolean>(`document.getElementById('search_input').value === ${JSON.stringify(words)}`));
  if (typed) await shop.act(() => shop.page.keyboard.press('Enter'));
  // As in the text environment: searching from any page, with words that the box cannot hold.
  else await open(shop, { page: 'results', session: session.id, keywords: words.split(' '), number: 1 }, context);
  return undefined;
}

function open(shop: BrowserPage, route: Route, { origin }: ShopContext): Promise<void> {
  return shop.goto(origin + formatRoute(route));
}

const coveredBy = (popUp: string) => `a pop-up is in front of it; click[${popUp}] closes the pop-up`;

/** Whether a click on the center of an element would hit the pop-up. */
const IS_COVERED = `(element) => {
  if (!element || element.closest('.popup')) return false;
  const { x, y, width, height } = element.getClientRects()[0];
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.popup') != null;
}`;

/** Focuses the search box and selects its contents. */
const FOCUS = `(() => {
  const box = document.getElementById('search_input');
  if (box) (box.focus(), box.select());
  return box !== null;
})()`;

/**
 * Finds an element by name and returns its center, scrolled into the window. Buttons and links match by their text, then
 * radio buttons by their value; the last match wins, as in the original's
 * `text_to_clickable` (`docs/specs/webshop.md` 4.6).
 */
const FIND = `(name) => {
  let found = null;
  for (const element of document.querySelectorAll('.btn, a.product-link')) if (element.textContent.toLowerCase() === name) found = element;
  const first = ['buy now', 'place order', 'back to search', '< prev', 'next >', 'description', 'features', 'reviews', 'attributes'].includes(name);
  if (!(found && first)) for (const input of document.querySelectorAll('input[type=radio]')) if (input.value === name) found = input;
  if (!found) return null;
  const shown = found.type === 'radio' ? found.nextElementSibling : found; // the label is what a person clicks
  const inside = ({ top, bottom, left, right }) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!inside(shown.getBoundingClientRect())) shown.scrollIntoView({ block: 'center', inline: 'center' });
  const { x, y, width, height } = shown.getClientRects()[0]; // the first line of a link that wraps
  if ((${IS_COVERED})(shown)) return 'covered';
  return [x + width / 2, y + height / 2];
}`;

async function click(shop: BrowserPage, name: string, context: ShopContext): Promise<string | undefined> {
  if (name === 'search') return 'the search button needs words: search[words]';
  const { session, strict, productsPerPage, showAttributes, elements } = context;
  const { id, page, hits, keywords, pageNumber, asin, options } = session;
  if (strict && name === 'next >' && page === 'results' && pageNumber! * productsPerPage >= hits.length) {
    return 'there are no more results';
  }
  const option = elements.some(({ role, name: label }) => role === 'radio' && label === name);
  if (name === 'attributes' && option && !showAttributes) {
    // The original treats an option of this name as the tab, which has no button here.
    const product = { session: id, asin: asin!, keywords: keywords ?? [], number: pageNumber ?? 1, options };
    await open(shop, { page: 'sub-page', subPage: 'Attributes', ...product }, context);
    return undefined;
  }
  const center = await shop.evaluate<[number, number] | 'covered' | null>(`(${FIND})(${JSON.stringify(name)})`);
  if (!center) return 'nothing on this page has this name';
  if (center === 'covered') return coveredBy(context.popUp ?? '');
  await shop.click(...center);
  return undefined;
}
