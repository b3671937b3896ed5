/** An action in words, carried out with mouse and keyboard. */
import type { ElementHandle, KeyInput } from 'puppeteer-core';
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
  if (text === 'back') return shop.act(async () => back(shop));
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
  const box = await shop.read(() => shop.page.$('#search_input'));
  if (!box) {
    if (strict) return 'this page has no search box';
    // as the text environment does it: the words are searched from anywhere
    await shop.goto(formatRoute({ page: 'results', session: session.id, keywords: words.split(' '), number: 1 }));
    return undefined;
  }
  await shop.act(async () => {
    await box.focus();
    await shop.page.evaluate("document.getElementById('search_input').select()");
    await shop.page.keyboard.sendCharacter(words);
    await shop.page.keyboard.press('Enter');
  });
  return undefined;
}

/** Finds the element as section 4.6 says: buttons and links by their text, then radios by their value; the last wins. */
const FIND = `(name) => {
  let found = null;
  for (const each of document.querySelectorAll('.btn, a.product-link')) if (each.textContent.toLowerCase() === name) found = each;
  const first = ['buy now', 'back to search', '< prev', 'next >', 'description', 'features', 'reviews', 'attributes'].includes(name);
  if (!(found && first)) for (const each of document.querySelectorAll('input[type=radio]')) if (each.value === name) found = each;
  if (!found || found.type !== 'radio') return found;
  return found.nextElementSibling;
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
  const handle = await shop.read(async () => {
    const found = await shop.page.evaluateHandle(`(${FIND})(${JSON.stringify(name)})`);
    return found.asElement() as ElementHandle | null;
  });
  if (!handle) return 'nothing on this page has this name';
  await shop.act(() => handle.click());
  return undefined;
}

async function mark(shop: ShopPage, number: number, { elements }: BrowserAction): Promise<string | undefined> {
  const element = elements.find((each) => each.mark === number);
  if (!element) return `there is no mark ${number}`;
  const [x, y, width, height] = element.box;
  await shop.act(async () => {
    await shop.page.evaluate(`scrollTo(0, ${Math.max(0, element.visible ? Number.NaN : y - 200) || 'scrollY'})`);
    const [left, top] = (await shop.page.evaluate('[scrollX, scrollY]')) as [number, number];
    await shop.page.mouse.click(x + width / 2 - left, y + height / 2 - top);
  });
  return undefined;
}

async function at(shop: ShopPage, place: string): Promise<string | undefined> {
  const match = /^\s*(\d{1,5})\s*,\s*(\d{1,5})\s*$/.exec(place);
  if (!match) return 'a place is at[x,y] in pixels of the screenshot';
  await shop.act(() => shop.page.mouse.click(Number(match[1]), Number(match[2])));
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
  await shop.act(() => shop.page.evaluate(`scrollBy(0, ${by})`));
  return undefined;
}

/** The browser's back button, never out of the shop. */
async function back(shop: ShopPage): Promise<string | undefined> {
  const inside = (await shop.page.evaluate('history.length')) as number;
  if (inside <= 2) return 'there is no page to go back to';
  await shop.page.goBack({ waitUntil: 'load' });
  return undefined;
}
