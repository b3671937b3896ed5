/** An action in words, carried out in the shop with mouse and keyboard. */
import { formatRoute } from '../server/routes.js';
import { parseAction } from '../shop/action.js';
import type { Session } from '../shop/session.js';
import type { BrowserPage } from './browser-page.js';
import { input, inputAction, type Seen } from './input.js';

/** What an action is carried out on. */
export interface ShopAction extends Seen {
  readonly origin: string;
  readonly session: Session;
  readonly productsPerPage: number;
  /** Search only where the search box is, no pages after the last hit. */
  readonly strict: boolean;
}

/** @returns Why nothing was done; nothing where it was. @throws {PageLostError} */
export async function performed(shop: BrowserPage, action: string, context: ShopAction): Promise<string | undefined> {
  const parsed = inputAction(action);
  if (!parsed) return 'not of the form name[argument]';
  const lower = parseAction(action).argument!;
  if (parsed.name === 'search') return search(shop, lower, context);
  if (parsed.name === 'click') return click(shop, lower, context);
  return input(shop, parsed, context);
}

async function search(
  shop: BrowserPage,
  words: string,
  { session, strict, origin }: ShopAction,
): Promise<string | undefined> {
  if (!(await shop.ask<boolean>(FOCUS))) {
    if (strict) return 'this page has no search box';
    // as the text environment does it: the words are searched from anywhere
    const route = { page: 'results', session: session.id, keywords: words.split(' '), number: 1 } as const;
    await shop.goto(origin + formatRoute(route));
    return undefined;
  }
  await shop.act(async () => {
    await shop.page.keyboard.sendCharacter(words);
    await shop.page.keyboard.press('Enter');
  });
  return undefined;
}

/** Into the search box, with what stands there selected. */
const FOCUS = `(() => {
  const box = document.getElementById('search_input');
  if (box) (box.focus(), box.select());
  return box !== null;
})()`;

/**
 * Finds the element as section 4.6 says: buttons and links by their text, then radios by their value; the last wins. It is
 * brought into the window; its centre is answered.
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

async function click(
  shop: BrowserPage,
  name: string,
  { session, strict, productsPerPage }: ShopAction,
): Promise<string | undefined> {
  if (name === 'search') return 'the search button needs words: search[words]';
  const { page, hits, pageNumber } = session;
  if (strict && name === 'next >' && page === 'results' && pageNumber! * productsPerPage >= hits.length) {
    return 'there are no more results';
  }
  const centre = await shop.ask<[number, number] | null>(`(${FIND})(${JSON.stringify(name)})`);
  if (!centre) return 'nothing on this page has this name';
  await shop.click(...centre);
  return undefined;
}
