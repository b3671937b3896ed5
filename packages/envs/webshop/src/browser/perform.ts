/** An action in words, carried out with mouse and keyboard. */
import type { KeyInput } from 'puppeteer-core';
import { formatRoute } from '../server/routes.js';
import { parseAction } from '../shop/action.js';
import type { Session } from '../shop/session.js';
import type { MarkedElement } from './live-page.js';
import type { ShopPage } from './shop-page.js';

/** What an action is carried out on. */
export interface BrowserAction {
  readonly session: Session;
  readonly productsPerPage: number;
  readonly elements: readonly MarkedElement[];
  /** Search only where the search box is, no pages after the last hit. */
  readonly strict: boolean;
}

const KEYS: readonly string[] = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Space',
];
const MOST_SCROLLED = 10_000;

/** @returns Why nothing was done; nothing where it was. @throws {PageLostError} */
export async function performed(shop: ShopPage, action: string, context: BrowserAction): Promise<string | undefined> {
  const text = action.trim();
  if (text === 'back') return back(shop);
  const { name } = parseAction(action);
  const argument = /\[([^\n]+)\]/.exec(action)?.[1]; // as written: typing is not in lower case
  const lower = parseAction(action).argument;
  if (lower === undefined || argument === undefined) return 'not of the form name[argument]';
  switch (name) {
    case 'search':
      return search(shop, lower, context);
    case 'click':
      return click(shop, lower, context);
    case 'mark':
      return mark(shop, Number(lower), context);
    case 'at':
      return at(shop, lower);
    case 'type':
      return shop.act(async () => {
        await shop.page.keyboard.type(argument);
        return undefined;
      });
    case 'key':
      return key(shop, argument);
    case 'scroll':
      return scroll(shop, Number(lower));
    default:
      return `there is no action "${name.slice(0, 40)}"`;
  }
}

async function search(shop: ShopPage, words: string, { session, strict }: BrowserAction): Promise<string | undefined> {
  if (!(await shop.ask<boolean>(FOCUS))) {
    if (strict) return 'this page has no search box';
    // as the text environment does it: the words are searched from anywhere
    await shop.goto(formatRoute({ page: 'results', session: session.id, keywords: words.split(' '), number: 1 }));
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
  const first = ['buy now', 'back to search', '< prev', 'next >', 'description', 'features', 'reviews', 'attributes'].includes(name);
  if (!(found && first)) for (const each of document.querySelectorAll('input[type=radio]')) if (each.value === name) found = each;
  if (!found) return null;
  const shown = found.type === 'radio' ? found.nextElementSibling : found; // a person clicks the label
  const inside = ({ top, bottom, left, right }) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!inside(shown.getBoundingClientRect())) shown.scrollIntoView({ block: 'center', inline: 'center' });
  const { x, y, width, height } = shown.getClientRects()[0]; // of a link in two lines, the first
  return [x + width / 2, y + height / 2];
}`;

async function click(
  shop: ShopPage,
  name: string,
  { session, strict, productsPerPage }: BrowserAction,
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

async function mark(shop: ShopPage, number: number, { elements }: BrowserAction): Promise<string | undefined> {
  const element = elements.find((each) => each.mark === number);
  if (!element) return `there is no mark ${number}`;
  const [x, y, width, height] = element.box;
  const there = element.visible ? '' : `scrollTo(0, ${Math.max(0, y - 200)}), `;
  const [left, top] = await shop.ask<[number, number]>(`(${there}[scrollX, scrollY])`);
  await shop.click(x + width / 2 - left, y + height / 2 - top);
  return undefined;
}

async function at(shop: ShopPage, place: string): Promise<string | undefined> {
  const match = /^\s*(\d{1,5})\s*,\s*(\d{1,5})\s*$/.exec(place);
  if (!match) return 'a place is at[x,y] in pixels of the screenshot';
  await shop.click(Number(match[1]), Number(match[2]));
  return undefined;
}

async function key(shop: ShopPage, name: string): Promise<string | undefined> {
  const known = KEYS.find((each) => each.toLowerCase() === name.toLowerCase());
  if (!known) return `a key is one of ${KEYS.join(', ')}`;
  await shop.act(() => shop.page.keyboard.press(known as KeyInput));
  return undefined;
}

async function scroll(shop: ShopPage, pixels: number): Promise<string | undefined> {
  if (!Number.isFinite(pixels)) return 'scroll[pixels] takes a number, negative to go up';
  const by = Math.max(-MOST_SCROLLED, Math.min(MOST_SCROLLED, Math.trunc(pixels)));
  await shop.ask(`scrollBy(0, ${by})`);
  return undefined;
}

/** The browser's back button, never out of the visit. */
async function back(shop: ShopPage): Promise<string | undefined> {
  return (await shop.back()) ? undefined : 'there is no page to go back to';
}
