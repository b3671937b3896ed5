/** An action in words, carried out in the shop with mouse and keyboard. */
import { formatRoute, type Route } from '../server/routes.js';
import { parseAction } from '../shop/action.js';
import type { Session } from '../shop/session.js';
import type { BrowserPage } from './browser-page.js';
import { INPUTS, input, inputAction, type Seen } from './input.js';

/** What an action is carried out on. */
export interface ShopAction extends Seen {
  readonly origin: string;
  readonly session: Session;
  readonly productsPerPage: number;
  /** There is a button for it. */
  readonly showAttributes: boolean;
  /** Search only where the search box is, no pages after the last hit, brackets in what is clicked or searched. */
  readonly strict: boolean;
}

/** @returns Why nothing was done; nothing where it was. @throws {PageLostError} */
export async function performed(shop: BrowserPage, action: string, context: ShopAction): Promise<string | undefined> {
  const { name, argument } = parseAction(action, context.strict);
  if (argument !== undefined && name === 'search') return search(shop, argument, context);
  if (argument !== undefined && name === 'click') return click(shop, argument, context);
  const parsed = inputAction(action);
  if (parsed && INPUTS.has(parsed.name)) return input(shop, parsed, context);
  return argument === undefined ? 'not of the form name[argument]' : `there is no action "${name.slice(0, 40)}"`;
}

async function search(shop: BrowserPage, words: string, context: ShopAction): Promise<string | undefined> {
  const { session, strict } = context;
  const box = await shop.ask<boolean>(FOCUS);
  if (!box && strict) return 'this page has no search box';
  if (box) await shop.act(() => shop.page.keyboard.sendCharacter(words));
  const typed =
    box && (await shop.ask<boolean>(`document.getElementById('search_input').value === ${JSON.stringify(words)}`));
  if (typed) await shop.act(() => shop.page.keyboard.press('Enter'));
  // as the text environment does it: from any page, and words that do not fit into the box
  else await open(shop, { page: 'results', session: session.id, keywords: words.split(' '), number: 1 }, context);
  return undefined;
}

function open(shop: BrowserPage, route: Route, { origin }: ShopAction): Promise<void> {
  return shop.goto(origin + formatRoute(route));
}

/** Into the search box, with what stands there selected. */
const FOCUS = `(() => {
  const box = document.getElementById('search_input');
  if (box) (box.focus(), box.select());
  return box !== null;
})()`;

/**
 * Finds the element (`docs/specs/webshop.md` 4.6): buttons and links by their text, then radios by their value; the last wins. It is
 * brought into the window; its center is answered.
 */
const FIND = `(name) => {
  let found = null;
  for (const each of document.querySelectorAll('.btn, a.product-link')) if (each.textContent.toLowerCase() === name) found = each;
  const first = ['buy now', 'place order', 'back to search', '< prev', 'next >', 'description', 'features', 'reviews', 'attributes'].includes(name);
  if (!(found && first)) for (const each of document.querySelectorAll('input[type=radio]')) if (each.value === name) found = each;
  if (!found) return null;
  const shown = found.type === 'radio' ? found.nextElementSibling : found; // a person clicks the label
  const inside = ({ top, bottom, left, right }) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!inside(shown.getBoundingClientRect())) shown.scrollIntoView({ block: 'center', inline: 'center' });
  const { x, y, width, height } = shown.getClientRects()[0]; // of a link in two lines, the first
  return [x + width / 2, y + height / 2];
}`;

async function click(shop: BrowserPage, name: string, context: ShopAction): Promise<string | undefined> {
  if (name === 'search') return 'the search button needs words: search[words]';
  const { session, strict, productsPerPage, showAttributes, elements } = context;
  const { id, page, hits, keywords, pageNumber, asin, options } = session;
  if (strict && name === 'next >' && page === 'results' && pageNumber! * productsPerPage >= hits.length) {
    return 'there are no more results';
  }
  const option = elements.some((each) => each.role === 'radio' && each.name === name);
  if (name === 'attributes' && option && !showAttributes) {
    // the original takes an option of this name for the tab, which has no button here
    const product = { session: id, asin: asin!, keywords: keywords ?? [], number: pageNumber ?? 1, options };
    await open(shop, { page: 'sub-page', subPage: 'Attributes', ...product }, context);
    return undefined;
  }
  const center = await shop.ask<[number, number] | null>(`(${FIND})(${JSON.stringify(name)})`);
  if (!center) return 'nothing on this page has this name';
  await shop.click(...center);
  return undefined;
}
